// Chosen before anything is drawn, so that no page flashes: light, dark, or what the system says.
(() => {
  const root = document.documentElement;
  const show = (theme) => {
    root.classList.toggle('dark-mode', theme === 'dark');
    root.classList.toggle('light-mode', theme === 'light');
  };
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Without a store the choice lasts for one page.
  }
  const current = () => chosen ?? (dark.matches ? 'dark' : 'light');
  show(current());
  dark.addEventListener('change', () => show(current()));
  window.toggleTheme = () => {
    chosen = current() === 'dark' ? 'light' : 'dark';
    show(chosen);
    try {
      localStorage.setItem('theme', chosen);
    } catch {
      // See above.
    }
  };
})();
