import type { PackageSource } from '#cli/site/corpus/fetch-package.ts';

/**
 * Twenty documents of real packages. They ask no other host, so that they load the same on every machine. Versions are fixed; the Debian packages are those of
 * Debian 12 that are seldom updated.
 */
export interface PackageDocument {
  source: PackageSource;
  /** Of the document: within the npm package, or on a machine with the Debian package. */
  path: string;
}

/** What the documents of Sphinx and of others share, and have as links to another package. */
const sphinxScripts = [
  'libjs-sphinxdoc=5.3.0-4',
  'libjs-jquery=3.6.1+dfsg+~3.5.14-1',
  'libjs-underscore=1.13.4~dfsg+~1.11.4-3',
];
const mathJax = 'libjs-mathjax=2.7.9+dfsg-1';
const fontAwesome = 'fonts-font-awesome=5.0.10+really4.7.0~dfsg-4.1';
const rtdTheme = ['sphinx-rtd-theme-common=1.2.0+dfsg-1', fontAwesome, 'fonts-lato=2.0-2.1'];

const dashboards: PackageSource = { npm: 'gentelella@1.4.0' };

export const packageDocuments: readonly PackageDocument[] = [
  { source: dashboards, path: '/production/index.html' },
  { source: dashboards, path: '/production/projects.html' },
  { source: dashboards, path: '/production/form_advanced.html' },
  { source: { npm: 'reveal.js@5.2.1' }, path: '/index.html' },
  { source: { npm: 'jstree@3.3.17' }, path: '/test/visual/desktop/index.html' },
  { source: { npm: 'jquery-ui-dist@1.13.3' }, path: '/index.html' },
  { source: { npm: 'jquery-flot@0.8.3' }, path: '/examples/visitors/index.html' },
  { source: { npm: 'mathjax@2.7.9' }, path: '/test/sample.html' },
  { source: { npm: 'speedscope@1.24.0' }, path: '/dist/release/index.html' },
  { source: { npm: 'todomvc@0.1.1' }, path: '/examples/emberjs/index.html' },
  { source: { npm: 'uikit@3.23.11' }, path: '/tests/slider.html' },
  {
    source: { debian: 'asymptote-doc=2.85+ds-1', needs: [] },
    path: '/usr/share/doc/asymptote/html/graph.html',
  },
  {
    source: { debian: 'debian-handbook=11.20220922', needs: [] },
    path: '/usr/share/doc/debian-handbook/html/en-US/sect.virtualization.html',
  },
  {
    source: { debian: 'developers-reference=12.18', needs: sphinxScripts },
    path: '/usr/share/developers-reference/developers-reference.html',
  },
  { source: { debian: 'doxygen-doc=1.9.4-4', needs: [] }, path: '/usr/share/doc/doxygen/html/config.html' },
  {
    source: { debian: 'libeigen3-doc=3.4.0-4', needs: [mathJax] },
    path: '/usr/share/doc/libeigen3-dev/html/classEigen_1_1Matrix.html',
  },
  {
    source: { debian: 'python-sphinx-gallery-doc=0.10.1-3', needs: [...sphinxScripts, ...rtdTheme] },
    path: '/usr/share/doc/python-sphinx-gallery-doc/html/auto_examples/index.html',
  },
  {
    source: { debian: 'libcairo2-doc=1.16.0-7', needs: [] },
    path: '/usr/share/gtk-doc/html/cairo/cairo-cairo-surface-t.html',
  },
  {
    source: { debian: 'rust-doc=1.63.0+dfsg1-2', needs: [] },
    path: '/usr/share/doc/rust-doc/html/std/cmp/trait.Ord.html',
  },
  {
    source: { debian: 'sphinx-doc=5.3.0-4', needs: sphinxScripts },
    path: '/usr/share/doc/sphinx-doc/html/usage/theming.html',
  },
];
