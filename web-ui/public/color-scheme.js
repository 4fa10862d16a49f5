/* global document, localStorage, matchMedia */
// Sets the colour scheme before the first paint, so that a dark page never flashes white. The key is Mantine's.
(() => {
  const stored = localStorage.getItem('mantine-color-scheme-value');
  const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
})();
