import type { PackageSource } from './fetch-package.ts';

/** A page of a package whose files anybody may use. Packages have one host, so files are spread over several (`spread-files.ts`). */
export interface CorpusSite {
  /** In file names, host names and URL lists. */
  name: string;
  source: PackageSource;
  /** Of the page: within the npm package, or on a machine with the Debian package. */
  path: string;
  /** What a browser of 1366 × 768 loads of it, its icon not counted. */
  objects: number;
  licence: string;
}

const tabler: PackageSource = { npm: '@tabler/preview@1.2.0' };

/** From 10 to 217 objects. The Debian packages are those of Debian 12 that are seldom updated. */
export const corpusSites: readonly CorpusSite[] = [
  { name: 'tabler-lists', source: tabler, path: '/dist/lists.html', objects: 217, licence: 'MIT' },
  { name: 'tabler-gallery', source: tabler, path: '/dist/gallery.html', objects: 116, licence: 'MIT' },
  {
    name: 'gimp-help',
    source: { debian: 'gimp-help-en=2.10.34-2', needs: ['gimp-help-common=2.10.34-2'] },
    path: '/usr/share/gimp/2.0/help/en/gimp-concepts-layer-modes-legacy.html',
    objects: 77,
    licence: 'GFDL-1.2-or-later',
  },
  {
    name: 'qt-styles',
    source: { debian: 'qtbase5-doc-html=5.15.8+dfsg-11+deb12u3', needs: [] },
    path: '/usr/share/qt5/doc/qtwidgets/style-reference.html',
    objects: 48,
    licence: 'GFDL-1.3-only',
  },
  {
    name: 'debian-handbook',
    source: { debian: 'debian-handbook=11.20220922', needs: [] },
    path: '/usr/share/doc/debian-handbook/html/en-US/sect.installation-steps.html',
    objects: 32,
    licence: 'GPL-2.0-or-later or CC-BY-SA-3.0',
  },
  {
    name: 'soft-ui',
    source: { npm: 'soft-ui-dashboard@1.0.1' },
    path: '/pages/dashboard.html',
    objects: 26,
    licence: 'MIT',
  },
  {
    name: 'agency',
    source: { npm: 'startbootstrap-agency@7.0.12' },
    path: '/dist/index.html',
    objects: 24,
    licence: 'MIT',
  },
  {
    name: 'material-profile',
    source: { npm: 'material-dashboard@3.1.0' },
    path: '/pages/profile.html',
    objects: 22,
    licence: 'MIT',
  },
  {
    name: 'sb-admin',
    source: { npm: 'startbootstrap-sb-admin-2@4.1.4' },
    path: '/index.html',
    objects: 17,
    licence: 'MIT',
  },
  {
    name: 'creative',
    source: { npm: 'startbootstrap-creative@7.0.7' },
    path: '/dist/index.html',
    objects: 10,
    licence: 'MIT',
  },
];
