import { useQuery } from '@tanstack/react-query';
import { useEffect, type MouseEvent } from 'react';
import { NavLink, useLocation, useNavigate, useParams } from 'react-router';
import { loadPage } from '../../api/load-page.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { contents } from './contents.ts';
import classes from './help-page.module.css';

/** As the build renders it. */
interface HelpDocument {
  title: string;
  html: string;
}

const files = import.meta.glob<HelpDocument>(
  ['../../../../docs/**/*.md', '!../../../../docs/contributing/**', '../../../../README.md'],
  { import: 'default' },
);

/** Of each document by its name in the address; README has none. */
const documents = new Map(Object.entries(files).map(([file, load]) => [nameOf(file), load]));

/** The documents of this very version, which need no network. */
export function HelpPage() {
  const { '*': name = '' } = useParams();
  const load = documents.get(name);
  if (!load) return <NotFoundPage />;
  return (
    <div className={classes.page}>
      <nav className={classes.contents} aria-label="Documents">
        {contents.map((each) => (
          <NavLink key={each.name} to={each.name === '' ? '/help' : `/help/${each.name}`} end>
            {each.label}
          </NavLink>
        ))}
      </nav>
      <LoadedDocument key={name} name={name} load={load} />
    </div>
  );
}

function LoadedDocument({ name, load }: { name: string; load: () => Promise<HelpDocument> }) {
  const query = useQuery({ queryKey: ['document', name], queryFn: () => loadPage(load), staleTime: Infinity });
  return (
    <QueryContent query={query} what="The document">
      {(document) => <ShownDocument document={document} />}
    </QueryContent>
  );
}

function ShownDocument({ document: { title, html } }: { document: HelpDocument }) {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  const follow = (event: MouseEvent) => {
    const address = (event.target as Element).closest('a')?.getAttribute('href');
    if (!address?.startsWith('/') || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(address);
  };
  return (
    <article className={classes.document} onClick={follow}>
      <PageHeader title={title} />
      {/* Made of the repository's own documents when the web UI was built. */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  );
}

function nameOf(file: string): string {
  return /\/docs\/(.+)\.md$/.exec(file)?.[1] ?? '';
}
