// Four patches of a photograph: choose one, see what it takes from each and what comes out.
//
// data picture: chapters/08-image-patches/dogs_32x32.pgm

live('dogs', (box, run) => {
  const m = 4;
  const pixels = data.picture.rows;  // along a side
  const half = pixels / 2;
  const grey = numbersOf(data.picture);
  const state = {patch: 0, seed: 0};

  // Two drawings: the picture, each patch as clear as its weight, and the output.
  const size = 300;
  const place = (i) => ({x: 10 + (i % 2) * (size / 2), y: 26 + Math.floor(i / 2) * (size / 2)});
  const frame = {width: size / 2, height: size / 2};
  const sheet = () => drawn('svg', {viewBox: `0 0 ${size + 20} ${size + 34}`, 'aria-hidden': 'true', class: 'patches'});
  const left = sheet();
  const right = sheet();
  const seen = drawn('image', {...place(0), width: size, height: size});
  const output_seen = drawn('image', {...place(0), width: size, height: size});
  const title = drawn('text', {x: 10, y: 16, class: 'title'});
  left.append(drawn('text', {x: 10, y: 16, class: 'title'}, 'Where it looks'), seen);
  right.append(title, output_seen, drawn('rect', {...place(0), width: size, height: size, class: 'edge'}));
  const veils = [];
  const labels = [];
  for (let i = 0; i < m; ++i) {
    const {x, y} = place(i);
    const veil = drawn('rect', {x, y, ...frame, class: 'veil'});
    const label = drawn('text', {x: x + 10, y: y + 23, class: 'share'});
    const target = drawn('rect', {x, y, ...frame, class: 'target', 'data-patch': i + 1});
    target.addEventListener('click', () => {
      patches.choose(i);
      state.patch = i;
      show();
    });
    veils.push(veil);
    labels.push(label);
    left.append(veil, drawn('rect', {x: x + 4, y: y + 6, width: 70, height: 24, rx: 4, class: 'under'}), label, target);
  }
  const chosen = drawn('rect', {...frame, class: 'chosen-patch'});
  left.append(chosen);

  const patches = choice('Patch', ['1', '2', '3', '4'], (i) => {
    state.patch = i;
    show();
  });
  const head = choice('Projections', ['none, Q = K = V = X', 'drawn head 1', 'drawn head 2', 'drawn head 3'], (seed) => {
    state.seed = seed;
    show();
  });

  const said = element('p', {'aria-live': 'polite'});
  const heads = ['score', 'weight', 'likeness of the output'].map((name) => element('th', {scope: 'col'}, name));
  const rows = [0, 1, 2, 3].map((i) =>
    element('tr', {}, element('th', {scope: 'row'}, `patch ${i + 1}`), ...[0, 1, 2].map((k) => element('td', {}, output(k * m + i, 'span')))),
  );
  const caption = element('caption');
  const table = element('table', {class: 'of-patches'}, caption, element('thead', {}, element('tr', {}, element('td'), ...heads)), element('tbody', {}, ...rows));
  box.append(
    element('div', {class: 'live-controls'}, element('p', {}, 'Click a patch, or choose it here. The projections of a drawn head are random.'), patches, head),
    element('div', {class: 'live-pair'}, left, right),
    element('div', {class: 'live-controls said'}, said),
    table,
  );

  /// Numbers as grey pixels, low black and high white.
  function image(numbers, side, low, high) {
    const canvas = element('canvas', {width: side, height: side});
    const context = canvas.getContext('2d');
    const shades = context.createImageData(side, side);
    numbers.forEach((x, k) => {
      const shade = 255 * Math.min(1, Math.max(0, (x - low) / (high - low)));
      shades.data.set([shade, shade, shade, 255], 4 * k);
    });
    context.putImageData(shades, 0, 0);
    return canvas.toDataURL();
  }

  function show() {
    const results = run([state.patch + 1, state.seed, ...grey]);
    const weight = results.slice(m, 2 * m);
    const X = results.slice(3 * m, 3 * m + pixels * pixels);
    const low = Math.min(...X);
    const high = Math.max(...X);
    seen.setAttribute('href', image(X, pixels, low, high));
    output_seen.setAttribute('href', image(results.slice(3 * m + pixels * pixels), half, low, high));
    for (let i = 0; i < m; ++i) {
      veils[i].setAttribute('fill-opacity', 0.8 * (1 - weight[i]));
      labels[i].textContent = fixed(weight[i], 4);
    }
    for (const [name, value] of Object.entries(place(state.patch))) chosen.setAttribute(name, value);
    title.textContent = `What comes out of patch ${state.patch + 1}`;
    caption.textContent = `Query: patch ${state.patch + 1}`;
    const what =
      state.seed === 0
        ? 'the four patches, averaged with these weights'
        : `the patch plus what drawn head ${state.seed} adds to it`;
    said.textContent =
      `The output of patch ${state.patch + 1} is ${what}. ` +
      'Its likeness to a patch is the cosine of the angle between them: 1 for the same pattern.';
  }
  show();
});
