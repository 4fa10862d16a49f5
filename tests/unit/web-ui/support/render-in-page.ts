import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { stringify } from 'yaml';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { EditorContext } from '#web-ui/src/pages/evaluation/editor/editor-context.ts';
import { openEditor } from '#web-ui/src/pages/evaluation/editor/use-editor-state.ts';

/** What the Controller has answered: the keys of its queries, and their data. */
type Answers = readonly (readonly [key: readonly unknown[], data: unknown])[];

/** The first HTML of a component within a page. Effects do not run. */
export function renderInPage<Props extends object>(
  component: ComponentType<Props>,
  props: Props,
  { answers = [], at = '/', client = new QueryClient() }: { answers?: Answers; at?: string; client?: QueryClient } = {},
): string {
  for (const [key, data] of answers) client.setQueryData(key, data);
  const inRouter = createElement(MemoryRouter, { initialEntries: [at] }, createElement(component, props));
  const inQueries = createElement(QueryClientProvider, { client }, inRouter);
  return renderToStaticMarkup(createElement(MantineProvider, null, inQueries));
}

/** The first HTML of a part of the editor, of a new Evaluation that says this. */
export function renderInEditor<Props extends object>(
  component: ComponentType<Props>,
  props: Props,
  { input, agents = [] }: { input: object; agents?: AgentSummary[] },
): string {
  const ignore = () => undefined;
  const value = {
    ...openEditor(stringify(input)),
    ...{ agents, evaluationId: null, changedFromRun: null, write: ignore, change: ignore },
  };
  const Editor = (own: Props) => createElement(EditorContext, { value }, createElement(component, own));
  return renderInPage(Editor, props);
}

/** The words between tags, one text for each element that has some. */
export function textsOf(html: string): string[] {
  return html
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll(/[\u00A0\u202F]/g, ' ').trim())
    .filter((text) => text !== '');
}
