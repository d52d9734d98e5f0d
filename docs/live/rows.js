// Attention in both conventions. Point at an entry: its partner on the other side and the numbers that made it light up.

live('rows', (box, run) => {
  const state = [2, 0, 1, 0, 1, 1, 1, -1, 0, 1, 1, 3, 0, 0, 1, 2];

  // The matrices in the order of the results: what rows and columns are, and how many. Then how they are laid out.
  const sides = [
    {
      title: 'Tokens in columns',
      matrices: {
        K: ['', 'key', 2, 3], Q: ['', 'query', 2, 2], V: ['', 'key', 2, 3],
        S: ['key', 'query', 3, 2], A: ['key', 'query', 3, 2], O: ['', 'query', 2, 2],
      },
      names: {S: 'S = KᵀQ', A: 'A = Softmax(S)', O: 'V A'},
      lines: ['KQ', 'S', 'VA', 'O'],
    },
    {
      title: 'Tokens in rows',
      matrices: {
        Q: ['query', '', 2, 2], K: ['key', '', 3, 2], V: ['key', '', 3, 2],
        S: ['query', 'key', 2, 3], A: ['query', 'key', 2, 3], O: ['query', '', 2, 2],
      },
      names: {S: 'S = QKᵀ', A: 'A = softmax(S)', O: 'A V'},
      lines: ['QK', 'S', 'AV', 'O'],
    },
  ];
  let place = 0;
  for (const side of sides) {
    side.begin = {};
    for (const [name, [, , rows, columns]] of Object.entries(side.matrices)) {
      side.begin[name] = place;
      place += rows * columns;
    }
  }
  const difference = place;

  /// Entry (i, j), counted in the convention of columns, on side 0 or 1: the number of its result.
  const at = (side, name, i, j) => {
    const [r, c] = side === 0 ? [i, j] : [j, i];
    return sides[side].begin[name] + r * sides[side].matrices[name][3] + c;
  };

  // What entry (i, j) of S, A or the output is made of, counted in columns: names and places of the factors.
  const made = {
    S: (i, j) => [0, 1].map((l) => [['K', l, i], ['Q', l, j]]),
    A: (i, j) => [['S', i, j], ...[0, 1, 2].map((k) => ['S', k, j])].map((factor) => [factor]),
    O: (i, j) => [0, 1, 2].map((k) => [['V', i, k], ['A', k, j]]),
  };

  const message = element('p', {class: 'message', role: 'status'});
  const sums = [0, 1].map(() => element('p', {class: 'made', 'aria-live': 'polite'}));
  const cells = {};  // by the number of the result
  let chosen = {name: 'S', i: 1, j: 0, side: 0};

  function named(side, name, i, j) {
    const symbol = {O: 'output'}[name] ?? name;
    const [r, c] = side === 0 ? [i, j] : [j, i];
    return `${symbol}, row ${r + 1}, column ${c + 1}`;
  }

  /// One entry: a field, a number, or a number that can be chosen.
  function entry(side, name, i, j) {
    const k = at(side, name, i, j);
    const cell = element('td');
    cells[k] = cell;
    if ('SAO'.includes(name)) {
      const first = i === 0 && j === 0;
      const button = element('button', {type: 'button', tabindex: first ? 0 : -1, 'data-entry': k},
        element('span', {class: 'unseen'}, `${named(side, name, i, j)}: `), output(k, 'span', 2));
      const choose = () => {
        if (chosen.name === name && chosen.i === i && chosen.j === j && chosen.side === side) return;
        chosen = {name, i, j, side};
        show();
      };
      button.addEventListener('focus', choose);
      button.addEventListener('pointerenter', choose);
      button.addEventListener('click', choose);
      button.addEventListener('keydown', (event) => {
        const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
        if (!step) return;
        event.preventDefault();
        const [down, right] = side === 0 ? step : [step[1], step[0]];
        const [rows, columns] = sides[0].matrices[name].slice(2);
        if (i + down < 0 || i + down >= rows || j + right < 0 || j + right >= columns) return;
        const next = cells[at(side, name, i + down, j + right)].firstChild;
        button.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
      cell.append(button);
    } else if (side === 0) {
      cell.append(numberField(`${name}, row ${i + 1}, column ${j + 1}`, state[k], (value, text) => setEntry(k, value, text)));
    } else {
      cell.append(output(k, 'span', 2));
    }
    return cell;
  }

  function table(side, name) {
    const [down, across, rows, columns] = sides[side].matrices[name];
    const head = element('tr', {}, element('td'));
    for (let c = 0; c < columns; ++c) head.append(element('th', {scope: 'col'}, across ? `${across} ${c + 1}` : `${c + 1}`));
    const body = element('tbody');
    for (let r = 0; r < rows; ++r) {
      const row = element('tr', {}, element('th', {scope: 'row'}, down ? `${down} ${r + 1}` : `${r + 1}`));
      for (let c = 0; c < columns; ++c) row.append(side === 0 ? entry(side, name, r, c) : entry(side, name, c, r));
      body.append(row);
    }
    return element('table', {}, element('caption', {}, sides[side].names[name] ?? name), element('thead', {}, head), body);
  }

  /// "a · b + c · d = e", of numbers that the C++ has computed.
  function sum(side) {
    const {name, i, j} = chosen;
    const number = ([factor, r, c]) => output(at(side, factor, r, c), 'span', 2);
    const terms = made[name](i, j);
    const parts = [`${named(side, name, i, j)}: `];
    if (name === 'A') {
      const power = ([factor]) => ['e', element('sup', {}, number(factor))];
      parts.push(...power(terms[0]), ' / (', ...terms.slice(1).flatMap((term, k) => [k ? ' + ' : '', ...power(term)]), ')');
    } else {
      terms.forEach(([left, right], k) => {
        const [first, second] = side === 0 ? [left, right] : [right, left];
        parts.push(k ? ' + ' : '', number(first), ' · ', number(second));
      });
    }
    parts.push(' = ', element('strong', {}, output(at(side, name, i, j), 'span', 2)));
    sums[side].replaceChildren(...parts);
  }

  function setEntry(k, value, text = '') {
    const before = state[k];
    state[k] = value;
    if (show()) {
      message.textContent = '';
      return true;
    }
    state[k] = before;
    show();
    const said = text.trim() === '' ? 'An empty field' : `“${text.trim()}”`;
    message.textContent = Number.isFinite(value)
      ? `With ${said} there are products that are not a number any more. The last one stays: ${fixed(before, 1)}.`
      : `${said} is not a number such as −1.5. The last one stays: ${fixed(before, 1)}.`;
    return false;
  }

  function show() {
    const {name, i, j, side} = chosen;
    for (const cell of Object.values(cells)) cell.className = '';
    for (const one of [0, 1]) {
      for (const [factor, r, c] of made[name](i, j).flat()) cells[at(one, factor, r, c)].className = 'factor';
      cells[at(one, name, i, j)].className = one === side ? 'chosen' : 'partner';
      sum(one);
    }
    return run(state) !== null;
  }

  const pair = element('div', {class: 'live-pair conventions'});
  sides.forEach(({title, lines}, side) => {
    const tables = lines.map((names) => element('div', {class: 'matrices'}, ...[...names].map((name) => table(side, name))));
    pair.append(element('div', {}, element('p', {class: 'side'}, title), ...tables, sums[side]));
  });
  box.append(
    element('div', {class: 'live-controls'}, element('p', {}, 'Point at an entry of S, A or the output, or reach it with Tab and the arrow keys: framed are the entry and its partner, shaded the numbers that made them. K, Q and V on the left can be changed.')),
    message,
    pair,
    element('div', {class: 'live-controls'}, element('p', {}, 'Largest difference between one side and the transpose of the other (laws 6.1 to 6.3): ', output(difference, 'output', -1), '.')),
  );
  show();
});
