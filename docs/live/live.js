// Around every live figure. A figure calls live(name, draw) once; what its C++ computes comes from run(numbers).

const SVG = 'http://www.w3.org/2000/svg';

/// An element of HTML with attributes and children.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/// An element of SVG.
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/// A number with a fixed count of decimals, and no negative zero; for a negative count in powers of ten.
function fixed(x, digits = 4) {
  if (digits < 0) return x === 0 ? '0' : x.toExponential(-digits).replace(/-/g, '−');
  return x.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, '$1').replace('-', '−');
}

/// The number that somebody wrote, or NaN.
function written(text) {
  const plain = text.trim().replace('−', '-');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/// An element that shows number k of what the C++ computes.
function output(k, name = 'output', digits = 4, attributes = {}) {
  return element(name, {'data-out': k, 'data-digits': digits, ...attributes});
}

/// A field for a number. `change` is called with it and says whether it was taken; if not, the field says so and keeps the
/// text, so that it can be put right. The arrow keys move the number by `step`.
function numberField(label, value, change, step = 0.1) {
  const field = element('input', {type: 'text', inputmode: 'decimal', 'aria-label': label, size: 5, autocomplete: 'off'});
  field.value = fixed(value, 1);
  const take = (number) => {
    const taken = change(number, field.value);
    if (taken) field.removeAttribute('aria-invalid');
    else field.setAttribute('aria-invalid', 'true');
    return taken;
  };
  field.addEventListener('input', () => take(written(field.value)));
  field.addEventListener('keydown', (event) => {
    const way = {ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10}[event.key];
    const now = written(field.value);
    if (!way || Number.isNaN(now)) return;
    event.preventDefault();
    const next = Math.round((now + way * step) * 1e6) / 1e6;
    if (take(next)) field.value = fixed(next, 1);
  });
  return field;
}

/// A slider with its number beside it.
function slider(label, {min, max, step, value, show = (x) => fixed(x, 1)}, change) {
  const range = element('input', {type: 'range', min, max, step});
  range.value = value;
  const number = element('span', {class: 'number'}, show(Number(value)));
  range.addEventListener('input', () => {
    number.textContent = show(Number(range.value));
    range.setAttribute('aria-valuetext', number.textContent);
    change(Number(range.value));
  });
  return element('label', {class: 'slider'}, element('span', {}, label), range, number);
}

/// What a figure says about something written into a field that it did not take; `kept` is the number that stays.
function refusal(number, text, kept) {
  const said = text.trim() === '' ? 'An empty field' : `“${text.trim()}”`;
  const why = Number.isFinite(number) ? 'is too large' : 'is not a number such as −1.5';
  return `${said} ${why}. The last one stays: ${fixed(kept, 1)}.`;
}

/// A table: `columns` and `rows` are their headings (text, or an element th), cell(i, j) is what stands in row i, column j.
function table(caption, columns, rows, cell) {
  const heading = (content, scope) => (content instanceof Element ? content : element('th', {scope}, content));
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, element('td'), ...columns.map((content) => heading(content, 'col')))),
    element(
      'tbody',
      {},
      ...rows.map((content, i) =>
        element('tr', {}, heading(content, 'row'), ...columns.map((_, j) => element('td', {}, cell(i, j)))),
      ),
    ),
  );
}

/// Colours an element by a number between −1 and 1: none for 0.
function tint(node, share) {
  node.classList.add('tint');
  node.classList.toggle('negative', share < 0);
  node.style.setProperty('--share', fixed(Math.min(1, Math.abs(share)), 3));
}

/// A button.
function button(label, press) {
  const made = element('button', {type: 'button'}, label);
  made.addEventListener('click', press);
  return made;
}

/// One of several, chosen by radio buttons. `change` is called with its number.
function choice(label, names, change) {
  choice.count = (choice.count ?? 0) + 1;
  const group = `choice-${label}-${choice.count}`;
  const buttons = names.map((name, k) => {
    const button = element('input', {type: 'radio', name: group});
    button.checked = k === 0;
    button.addEventListener('change', () => change(k));
    return button;
  });
  const labels = names.map((name, k) => element('label', {}, buttons[k], name));
  const made = element('fieldset', {class: 'choice'}, element('legend', {}, label), ...labels);
  made.choose = (k) => (buttons[k].checked = true);
  return made;
}

/// What stands in base64.
function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/// The numbers of a table or picture that the build has put into the script, row by row.
function numbersOf({numbers}) {
  return [...new Float64Array(bytes(numbers).buffer)];
}

/// Lets a pointer drag something in an SVG: `move` gets the place in the SVG's own units.
function draggable(handle, move) {
  const place = (event) => {
    const svg = handle.ownerSVGElement;
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  };
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', (event) => {
    if (handle.hasPointerCapture(event.pointerId)) move(place(event));
  });
}

/// Starts a figure wherever the page has it. `draw(box, run)` fills the box; run(numbers) computes, shows the results in
/// all elements made by output(), and returns them, or returns null if the C++ refuses the numbers.
async function live(name, draw) {
  const {instance} = await WebAssembly.instantiate(bytes(wasm), {});
  const {memory, in: place_in, out: place_out, run: compute, _initialize} = instance.exports;
  _initialize?.();

  for (const figure of document.querySelectorAll(`[data-live="${name}"]`)) {
    const box = figure.querySelector('.figure-box');
    const run = (numbers) => {
      new Float64Array(memory.buffer, place_in(), numbers.length).set(numbers);
      const count = compute(numbers.length);
      if (count === 0) return null;
      const results = new Float64Array(memory.buffer, place_out(), count).slice();
      for (const shown of box.querySelectorAll('[data-out]'))
        shown.textContent = fixed(results[Number(shown.dataset.out)], Number(shown.dataset.digits));
      figure.dataset.numbers = JSON.stringify(numbers);
      return results;
    };
    box.replaceChildren();
    draw(box, run);
    figure.dataset.running = 'true';
  }
}
