// The employment series: point at a month and see where it looks.
//
// data X: chapters/07-time-series/golden/X.csv
// data Q1: chapters/07-time-series/golden/W_Q.1.csv
// data Q2: chapters/07-time-series/golden/W_Q.2.csv
// data K1: chapters/07-time-series/golden/W_K.1.csv
// data K2: chapters/07-time-series/golden/W_K.2.csv
// data table: chapters/07-time-series/us_employment_32x16.csv

live('months', (box, run) => {
  const n = data.table.rows;
  const attributes = data.table.column_names;
  const sectors = attributes.length - 1;  // the last attribute is the change of the total
  const month = data.table.row_names.map((day) =>
    new Date(day).toLocaleDateString('en', {month: 'long', year: 'numeric', timeZone: 'UTC'}),
  );
  const X = numbersOf(data.X);
  const table = numbersOf(data.table);
  const heads = [
    [...numbersOf(data.Q1), ...numbersOf(data.K1)],
    [...numbersOf(data.Q2), ...numbersOf(data.K2)],
  ];
  const state = {month: 0, head: 0, first: 1, last: sectors};

  // Two drawings over the same months: the series with points as large as the weights, and the weights.
  const width = 360;
  const height = 250;
  const top = 30;
  const bottom = height - 26;
  const step = (width - 60) / n;
  const x_of = (i) => 52 + (i + 0.5) * step;
  const series = drawn('svg', {viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', class: 'months'});
  const weights = drawn('svg', {viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', class: 'months'});
  const here = [];
  const bounds = [];
  for (const [svg, title] of [[series, 'The series'], [weights, 'Weights']]) {
    const chosen = drawn('rect', {y: top - 8, width: step, height: bottom - top + 8, class: 'chosen-month'});
    here.push(chosen);
    const low = drawn('text', {x: 46, y: bottom + 4, class: 'tick'});
    const high = drawn('text', {x: 46, y: top + 4, class: 'tick'});
    bounds.push([low, high]);
    svg.append(drawn('text', {x: 8, y: 14, class: 'title'}, title), chosen, low, high);
    svg.append(drawn('line', {x1: 52, x2: width - 8, y1: bottom, y2: bottom, class: 'zero'}));
    month.forEach((name, i) => {
      if (!name.startsWith('January')) return;
      svg.append(drawn('line', {x1: x_of(i) - step / 2, x2: x_of(i) - step / 2, y1: top, y2: bottom + 4, class: 'grid'}));
      svg.append(drawn('text', {x: x_of(i), y: height - 8}, name.split(' ')[1]));
    });
    svg.addEventListener('pointermove', (event) => point(svg, event));
    svg.addEventListener('pointerdown', (event) => point(svg, event));
  }
  const line = drawn('polyline', {class: 'curve'});
  const points = month.map((_, i) => drawn('circle', {cx: x_of(i), class: 'point'}));
  const bars = month.map((_, i) => drawn('rect', {x: x_of(i) - step * 0.35, width: step * 0.7, class: 'weight'}));
  series.append(line, ...points);
  weights.append(...bars);

  function point(svg, event) {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const i = Math.min(n - 1, Math.max(0, Math.floor((place.x - 52) / step)));
    if (i === state.month) return;
    state.month = i;
    range.value = i + 1;
    range.dispatchEvent(new Event('input'));
  }

  const said = element('p', {'aria-live': 'polite'});
  const monthSlider = slider('Month', {min: 1, max: n, step: 1, value: 1, show: (i) => month[i - 1]}, (i) => {
    state.month = i - 1;
    show();
  });
  monthSlider.classList.add('month');
  const range = monthSlider.querySelector('input');
  range.setAttribute('aria-valuetext', month[0]);
  const head = choice('Head', ['1', '2'], (h) => {
    state.head = h;
    show();
  });
  const plain = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
  const shown = element('select', {}, element('option', {value: 'all'}, 'All sectors'),
    ...attributes.map((name, k) => element('option', {value: k + 1}, plain(name))));
  shown.addEventListener('change', () => {
    [state.first, state.last] = shown.value === 'all' ? [1, sectors] : [Number(shown.value), Number(shown.value)];
    show();
  });

  const rows = month.map((name, i) =>
    element('tr', {}, element('th', {scope: 'row'}, name), element('td', {}, output(n + i, 'span', 1)), element('td', {}, output(i, 'span'))),
  );
  const numbers = element('table', {},
    element('caption', {}, 'All months'),
    element('thead', {}, element('tr', {}, element('td'), element('th', {scope: 'col'}, 'thousands'), element('th', {scope: 'col'}, 'weight'))),
    element('tbody', {}, ...rows),
  );
  box.append(
    element('div', {class: 'live-controls'},
      element('p', {}, 'Point at a month, or move the slider.'), monthSlider, head,
      element('label', {class: 'pick'}, 'Series ', shown)),
    element('div', {class: 'live-pair'}, series, weights),
    element('div', {class: 'live-controls said'}, said),
    element('details', {}, element('summary', {}, 'The same as a table'), numbers),
  );

  function show() {
    const input = [state.month + 1, state.first, state.last, ...X, ...heads[state.head], ...table];
    const results = run(input);
    const weight = [...results.slice(0, n)];
    const value = [...results.slice(n, 2 * n)];

    const best = weight.map((_, i) => i).sort((i, k) => weight[k] - weight[i]).slice(0, 3);
    said.replaceChildren(`${month[state.month]} looks most at `);
    best.forEach((i, k) => said.append(k ? ', ' : '', `${month[i]} (`, output(i), ')'));
    said.append('. To later months it gives ', output(2 * n), '.');
    run(input);  // for the sentence

    const low = Math.min(...value);
    const high = Math.max(...value);
    const y_of = (x) => bottom - 14 - ((x - low) / (high - low)) * (bottom - 14 - top);
    const full = [0.1, 0.2, 0.5, 1].find((x) => x >= Math.max(...weight) - 1e-9);
    bounds[0][0].textContent = fixed(low, 0);
    bounds[0][0].setAttribute('y', y_of(low) + 4);
    bounds[0][1].textContent = fixed(high, 0);
    bounds[1][0].textContent = '0';
    bounds[1][1].textContent = String(full);
    for (const chosen of here) chosen.setAttribute('x', x_of(state.month) - step / 2);
    line.setAttribute('points', value.map((x, i) => `${x_of(i)},${y_of(x)}`).join(' '));
    for (let i = 0; i < n; ++i) {
      points[i].setAttribute('cy', y_of(value[i]));
      points[i].setAttribute('r', 1.5 + 11 * Math.sqrt(weight[i]));
      const tall = (weight[i] / full) * (bottom - top);
      bars[i].setAttribute('y', bottom - tall);
      bars[i].setAttribute('height', tall);
    }
  }
  show();
});
