// Softmax of three columns of four scores: drag the scores, the temperature, or all scores together.

live('softmax', (box, run) => {
  const m = 4;
  const n = 3;
  const lowest = -4;
  const highest = 4;
  const state = {
    temperature: 1,
    shift: 0,
    scores: [1.5, 0.5, -1, 0.5, 0.5, 2.5, -0.5, 0.5, 1, -1.5, 0.5, -2],
  };

  // Two drawings: scores as points over a line at 0, weights as parts of a column of height 1.
  const width = 360;
  const height = 280;
  const top = 26;
  const bottom = height - 26;
  const column = (j) => 48 + j * 106;
  const reach = 7;
  const y_of = (score) => top + ((reach - score) / (2 * reach)) * (bottom - top);
  const score_at = (y) => reach - ((y - top) / (bottom - top)) * 2 * reach;

  const left = drawn('svg', {viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'});
  const right = drawn('svg', {viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'});
  for (const [svg, title] of [[left, 'Scores'], [right, 'Weights']]) {
    svg.append(drawn('text', {x: 8, y: 14, class: 'title'}, title));
    for (let j = 0; j < n; ++j)
      svg.append(drawn('text', {x: column(j) + 42, y: height - 6, class: 'axis'}, `query ${j + 1}`));
  }
  for (const score of [-5, 0, 5])
    left.append(
      drawn('line', {x1: 34, x2: width - 6, y1: y_of(score), y2: y_of(score), class: score === 0 ? 'zero' : 'grid'}),
      drawn('text', {x: 28, y: y_of(score) + 4, class: 'tick'}, String(score).replace('-', '−')),
    );
  for (const weight of [0, 1])
    right.append(drawn('text', {x: 28, y: bottom - weight * (bottom - top) + 4, class: 'tick'}, String(weight)));

  const handles = [];
  const stems = [];
  const parts = [];
  for (let i = 0; i < m; ++i)
    for (let j = 0; j < n; ++j) {
      const k = i * n + j;
      const x = column(j) + i * 28;
      const stem = drawn('line', {x1: x, x2: x, y1: y_of(0), class: `stem key-${i + 1}`});
      const handle = drawn('circle', {cx: x, r: 10, class: `handle key-${i + 1}`, 'data-score': k});
      draggable(handle, ({y}) => {
        const score = Math.min(highest, Math.max(lowest, score_at(y) - state.shift));
        setScore(k, Math.round(score * 10) / 10);
        fields[k].value = fixed(state.scores[k], 1);
        fields[k].removeAttribute('aria-invalid');
      });
      stems.push(stem);
      handles.push(handle);
      const part = drawn('rect', {x: column(j) - 4, width: 92, class: `part key-${i + 1}`});
      const label = drawn('text', {x: column(j) + 42, class: 'inside'});
      parts.push({part, label});
      right.append(part, label);
    }
  left.append(...stems, ...handles);

  // The same as numbers: scores to write, weights to read.
  const message = element('p', {class: 'message', role: 'status'});
  const fields = state.scores.map((score, k) =>
    numberField(`Score of key ${Math.floor(k / n) + 1} for query ${(k % n) + 1}`, score, (value, text) =>
      setScore(k, value, text),
    ),
  );
  const head = () =>
    element('thead', {}, element('tr', {}, element('td'), ...[1, 2, 3].map((j) => element('th', {scope: 'col'}, `query ${j}`))));
  const row = (i, cells) =>
    element('tr', {}, element('th', {scope: 'row', class: `key-${i + 1}`}, `key ${i + 1}`), ...cells.map((cell) => element('td', {}, cell)));
  const indices = (i) => [...Array(n).keys()].map((j) => i * n + j);
  const scores = element('table', {}, element('caption', {}, 'Scores S'), head());
  const weights = element('table', {}, element('caption', {}, 'Weights Softmax(S / T)'), head());
  const scoreRows = element('tbody');
  const weightRows = element('tbody');
  for (let i = 0; i < m; ++i) {
    scoreRows.append(row(i, indices(i).map((k) => fields[k])));
    weightRows.append(row(i, indices(i).map((k) => output(k, 'span'))));
  }
  weightRows.append(
    element(
      'tr',
      {class: 'sum'},
      element('th', {scope: 'row'}, 'sum'),
      ...[0, 1, 2].map((j) => element('td', {}, output(m * n + j, 'span'))),
    ),
  );
  scores.append(scoreRows);
  weights.append(weightRows);

  const controls = element(
    'div',
    {class: 'live-controls'},
    slider('Temperature T', {min: -1, max: 1, step: 0.05, value: 0, show: (x) => fixed(10 ** x, 2)}, (x) => {
      state.temperature = 10 ** x;
      show();
    }),
    slider('Add to all scores', {min: -3, max: 3, step: 0.1, value: 0}, (x) => {
      state.shift = x;
      show();
    }),
    element('p', {}, 'Drag a point, or write into the table; the arrow keys work there too. The shift has moved a weight by at most ', output(m * n + n, 'output', -1), ' (law 1.2).'),
  );
  box.append(
    element('div', {class: 'live-pair'}, left, right),
    controls,
    message,
    element('div', {class: 'live-pair'}, scores, weights),
  );

  function numbers() {
    return [m, n, state.temperature, state.shift, ...state.scores];
  }

  /// One score, if the C++ takes it.
  function setScore(k, value, text = '') {
    const before = state.scores[k];
    state.scores[k] = value;
    if (show()) {
      message.textContent = '';
      return true;
    }
    state.scores[k] = before;
    show();
    message.textContent = refusal(value, text, before);
    return false;
  }

  function show() {
    const results = run(numbers());
    if (!results) return false;
    for (let j = 0; j < n; ++j) {
      let below = bottom;
      for (let i = m - 1; i >= 0; --i) {
        const k = i * n + j;
        const y = y_of(Math.min(reach, Math.max(-reach, state.scores[k] + state.shift)));
        handles[k].setAttribute('cy', y);
        stems[k].setAttribute('y2', y);
        const size = results[k] * (bottom - top);
        below -= size;
        parts[k].part.setAttribute('y', below);
        parts[k].part.setAttribute('height', size);
        parts[k].label.setAttribute('y', below + size / 2 + 4);
        parts[k].label.textContent = size > 16 ? fixed(results[k], 2) : '';
      }
    }
    return true;
  }
  show();
});
