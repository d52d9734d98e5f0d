// What a page does beyond being read: menu, theme, search, copy buttons, boxes that scroll.

const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});
document.getElementById('theme').addEventListener('click', window.toggleTheme);
document.querySelector('#book [aria-current]')?.scrollIntoView({block: 'nearest'});

// Copy buttons: a button for every block of code or output.
for (const code of document.querySelectorAll('.contents .fragment, .output pre')) {
  const box = document.createElement('div');
  box.className = 'copy-box';
  code.replaceWith(box);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const lines = [...code.querySelectorAll('.line')].map((line) => {
      const copy = line.cloneNode(true);
      copy.querySelector('.lineno')?.remove();
      return copy.textContent.replace(/\n$/, '');
    });
    await navigator.clipboard.writeText(lines.length ? lines.join('\n') + '\n' : code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  box.append(code, button);
}

// Whatever is larger than its place scrolls in it, and then the keyboard must reach it.
const scrolls = new ResizeObserver((entries) => {
  for (const {target} of entries) {
    const wide = target.scrollWidth > target.clientWidth + 1 || target.scrollHeight > target.clientHeight + 1;
    target.classList.toggle('scrolls', wide);
    if (wide) {
      target.tabIndex = 0;
      target.setAttribute('role', 'region');
      target.setAttribute('aria-label', target.dataset.label ?? 'Wide content');
    } else {
      target.removeAttribute('tabindex');
      target.removeAttribute('role');
      target.removeAttribute('aria-label');
    }
  }
});

function watch() {
  for (const [selector, label] of [
    ['p.formulaDsp', 'Formula'],
    ['.contents .fragment', 'Code'],
    ['.output pre', 'Output'],
    ['.wide', 'Table'],
    ['.figure-box', 'Figure'],
  ])
    for (const box of document.querySelectorAll(selector)) {
      box.dataset.label = label;
      scrolls.observe(box);
    }
}

// A narrow formula stands beside its code, a wide one above it.
function placeFormulas() {
  for (const block of document.querySelectorAll('.hands')) {
    const formula = block.querySelector('.hands-formula .mjx-math');
    if (formula) block.classList.toggle('beside', formula.getBoundingClientRect().width < 300);
  }
}

window.addEventListener('load', () => {
  watch();
  const finish = () => {
    placeFormulas();
    for (const formula of document.querySelectorAll('p .mjx-chtml:not(.MJXc-display), td .mjx-chtml'))
      if (formula.scrollWidth > formula.closest('p, li, td, th, .textblock').clientWidth) formula.classList.add('wide-inline');
    document.documentElement.dataset.ready = 'true';
    if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  };
  if (window.MathJax?.Hub) window.MathJax.Hub.Queue(finish);
  else finish(); // a page without formulas
});

// Exercises are printed with their solutions.
let closed = [];
window.addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const details of closed) details.open = true;
});
window.addEventListener('afterprint', () => {
  for (const details of closed) details.open = false;
});

// Search: the index is loaded when it is first needed.
const input = document.getElementById('search');
const found = document.getElementById('found');
let loading = null;

function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'search.js';
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  return loading;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  await loadIndex();
  const hits = window.searchIndex.filter(([, title]) => words.every((word) => title.toLowerCase().includes(word)));
  for (const [kind, title, where] of hits.slice(0, 12)) {
    const link = document.createElement('a');
    link.href = where;
    const small = document.createElement('small');
    small.textContent = kind;
    link.append(title, small);
    found.append(link);
  }
  if (hits.length === 0) found.append('Nothing has this in its name.');
  if (hits.length > 12) found.append(`${hits.length - 12} more`);
}

input.addEventListener('focus', loadIndex);
input.addEventListener('input', search);
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') found.querySelector('a')?.focus();
  if (event.key === 'Enter') found.querySelector('a')?.click();
});
found.addEventListener('keydown', (event) => {
  const move = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
  if (!move) return;
  event.preventDefault();
  (document.activeElement[move] ?? input).focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    found.hidden = true;
    document.body.classList.remove('menu-open');
    menu.setAttribute('aria-expanded', 'false');
  }
  if (event.key === '/' && !/^(input|textarea|select)$/i.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) found.hidden = true;
});
