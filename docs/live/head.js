// One head: three queries over four keys. Drag or write queries, keys and values, shift all keys, permute keys with values.

live('head', (box, run) => {
  const n = 3;
  const m = 4;
  const d = 2;
  const state = {
    c: [0, 0],
    order: [0, 1, 2, 3],
    Q: [1.8, -1, 0.4, 0.1, 1.2, -0.8], // row by row, as everywhere
    K: [1.2, 0.4, -1.4, -0.3, 0.8, 1.9, 0.5, -1.3],
    V: [2, -1.5, -2.1, 1.1, 1.6, 1.9, -1.2, -2],
  };
  const columns = {Q: n, K: m, V: m};
  const names = {Q: 'query', K: 'key', V: 'value'};
  const S_at = 0;
  const A_at = m * n;
  const O_at = 2 * m * n;
  const sum_at = O_at + d * n;
  const shift_at = sum_at + n;
  const order_at = shift_at + 1;

  // Two planes, in which a column of a matrix is a point.
  const side = 300;
  const reach = 3.5;
  const x_of = (x) => (side / 2) * (1 + x / reach);
  const y_of = (y) => (side / 2) * (1 - y / reach);
  const kept = (x) => Math.min(reach - 0.3, Math.max(0.3 - reach, x));
  const plane = (title) =>
    drawn(
      'svg',
      {viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true'},
      drawn('line', {x1: 0, x2: side, y1: y_of(0), y2: y_of(0), class: 'zero'}),
      drawn('line', {y1: 20, y2: side, x1: x_of(0), x2: x_of(0), class: 'zero'}),
      drawn('text', {x: 2, y: 13, class: 'title'}, title),
    );
  const asked = plane('Queries (squares) and keys');
  const outcome = plane('Values and outputs (squares)');

  /// A point with a name beside it. `move`, if any, gets its new place.
  function point(svg, shape, label, move, [right, down] = [0, -13]) {
    const name = drawn('text', {class: 'name'}, label);
    if (move) draggable(shape, ({x, y}) => move(kept((x / side) * 2 * reach - reach), kept(reach - (y / side) * 2 * reach)));
    svg.append(shape, name);
    return (x, y) => {
      shape.setAttribute('transform', `translate(${x_of(x)} ${y_of(y)})`);
      name.setAttribute('x', x_of(x) + right);
      name.setAttribute('y', y_of(y) + down);
    };
  }
  const disc = (i, data) => drawn('circle', {r: 9, class: `handle both-ways key-${i + 1}`, ...data});
  const square = (j) => drawn('rect', {x: -8, y: -8, width: 16, height: 16, class: 'handle both-ways query', 'data-query': j});
  const result = () => drawn('rect', {x: -6, y: -6, width: 12, height: 12, class: 'result'});
  const dragged = (matrix, j, shift) => (x, y) =>
    [x - shift()[0], y - shift()[1]].forEach((value, r) => {
      const k = r * columns[matrix] + j;
      setEntry(matrix, k, Math.round(value * 10) / 10);
      fields[matrix][k].value = fixed(state[matrix][k], 1);
      fields[matrix][k].removeAttribute('aria-invalid');
    });
  const none = () => [0, 0];
  const range = (size) => [...Array(size).keys()];
  const shares = range(m * n).map((k) => drawn('line', {class: `share key-${Math.floor(k / n) + 1}`}));
  outcome.append(...shares);
  const places = {
    K: range(m).map((i) => point(asked, disc(i, {'data-key': i}), `k${i + 1}`, dragged('K', i, () => state.c))),
    Q: range(n).map((j) => point(asked, square(j), `q${j + 1}`, dragged('Q', j, none))),
    V: range(m).map((i) => point(outcome, disc(i, {'data-value': i}), `v${i + 1}`, dragged('V', i, none))),
    O: range(n).map((j) => point(outcome, result(), `o${j + 1}`, null, [17, 5])),
  };

  // The same as numbers: Q, K and V to write, scores, weights and output to read.
  const message = element('p', {class: 'message', role: 'status'});
  const fields = {};
  const rows = ['feature 1', 'feature 2'];
  const queries = range(n).map((j) => `query ${j + 1}`);
  const key = (i) => element('th', {scope: 'row', class: `key-${i + 1}`}, `key ${i + 1}`);
  const given = (matrix, caption, headings) => {
    fields[matrix] = state[matrix].map((value, k) =>
      numberField(
        `Feature ${Math.floor(k / columns[matrix]) + 1} of ${names[matrix]} ${(k % columns[matrix]) + 1}`,
        value,
        (number, text) => setEntry(matrix, k, number, text),
      ),
    );
    const made = table(caption, headings, rows, (r, j) => fields[matrix][r * columns[matrix] + j]);
    made.classList.add('tight');
    return made;
  };
  const keyed = (name) => range(m).map((i) => element('th', {scope: 'col', class: `key-${i + 1}`}, `${name} ${i + 1}`));
  const Q = given('Q', 'Queries Q', queries);
  const K = given('K', 'Keys K', keyed('key'));
  const V = given('V', 'Values V', keyed('value'));
  const keys = () => range(m).map((i) => key(i));
  const read = (caption, headings, at) => table(caption, queries, headings, (i, j) => output(at + i * n + j, 'span'));
  const S = read('Scores S = KᵀQ', keys(), S_at);
  const A = read('Weights A = Softmax(S)', keys(), A_at);
  const O = read('Output V A', rows, O_at);
  A.tBodies[0].append(
    element(
      'tr',
      {class: 'sum'},
      element('th', {scope: 'row'}, 'sum'),
      ...range(n).map((j) => element('td', {}, output(sum_at + j, 'span'))),
    ),
  );

  const shift = (r) =>
    slider(`Add to feature ${r + 1} of all keys`, {min: -2, max: 2, step: 0.1, value: 0}, (x) => {
      state.c[r] = x;
      show();
    });
  const ordered = element('span', {class: 'order'});
  const controls = element(
    'div',
    {class: 'live-controls'},
    shift(0),
    shift(1),
    button('Permute keys with their values', () => {
      const [a, b, c, e] = state.order;
      state.order = [c, a, e, b];
      permute();
      show();
    }),
    ordered,
    element(
      'p',
      {},
      'Drag a point, or write into a table; the arrow keys work there too. The vector added to all keys has moved a weight by at most ',
      output(shift_at, 'output', -1),
      ' (law 2.6), the order of the keys has moved an output by at most ',
      output(order_at, 'output', -1),
      ' (law 2.2).',
    ),
  );
  box.append(
    element('div', {class: 'live-pair'}, asked, outcome),
    controls,
    message,
    element(
      'div',
      {class: 'live-pair'},
      element('div', {class: 'stack'}, Q, K, V),
      element('div', {class: 'stack'}, S, A, O),
    ),
  );

  /// Puts the columns of K and V, and the names of the rows of S and A, into the order of the keys.
  function permute() {
    for (const made of [K, V])
      for (const row of made.rows) {
        const cells = [...row.cells].slice(1);
        const place = (cell) => Number(cell.dataset.key);
        row.append(...state.order.map((i) => cells.find((cell) => place(cell) === i)));
      }
    for (const made of [S, A])
      state.order.forEach((i, row) => made.tBodies[0].rows[row].cells[0].replaceWith(key(i)));
    ordered.textContent = `Order: ${state.order.map((i) => i + 1).join(', ')}`;
  }
  for (const made of [K, V])
    for (const row of made.rows) [...row.cells].slice(1).forEach((cell, i) => (cell.dataset.key = i));

  /// One entry of Q, K or V, if the C++ takes it.
  function setEntry(matrix, k, value, text = '') {
    const before = state[matrix][k];
    state[matrix][k] = value;
    if (show()) {
      message.textContent = '';
      return true;
    }
    state[matrix][k] = before;
    show();
    message.textContent = refusal(value, text, before);
    return false;
  }

  function show() {
    const results = run([n, m, d, ...state.c, ...state.order, ...state.Q, ...state.K, ...state.V]);
    if (!results) return false;
    const column = (matrix, j, add = [0, 0]) =>
      range(d).map((r) => Math.max(-9, Math.min(9, state[matrix][r * columns[matrix] + j] + add[r])));
    for (let j = 0; j < n; ++j) {
      places.Q[j](...column('Q', j));
      places.O[j](results[O_at + j], results[O_at + n + j]);
    }
    for (let i = 0; i < m; ++i) {
      places.K[i](...column('K', i, state.c));
      places.V[i](...column('V', i));
    }
    for (let i = 0; i < m; ++i)
      for (let j = 0; j < n; ++j) {
        const weight = results[A_at + i * n + j];
        tint(A.tBodies[0].rows[i].cells[j + 1], weight);
        const [x, y] = column('V', state.order[i]);
        const line = shares[state.order[i] * n + j];
        line.setAttribute('x1', x_of(x));
        line.setAttribute('y1', y_of(y));
        line.setAttribute('x2', x_of(results[O_at + j]));
        line.setAttribute('y2', y_of(results[O_at + n + j]));
        line.setAttribute('stroke-width', 8 * weight);
        line.setAttribute('stroke-opacity', 0.15 + 0.5 * weight);
      }
    return true;
  }
  permute();
  show();
});
