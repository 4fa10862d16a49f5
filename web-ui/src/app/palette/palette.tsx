import '@mantine/spotlight/styles.css';
import { VisuallyHidden } from '@mantine/core';
import { Spotlight, createSpotlight, useSpotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { paletteListId } from './find-key.ts';
import classes from './palette.module.css';
import { useEntries } from './use-entries.ts';

const [store, palette] = createSpotlight();

const groups = [
  ['Page', 'Pages'],
  ['Evaluation', 'Evaluations'],
  ['Run', 'Runs'],
  ['Host', 'Hosts'],
  ['Study', 'Studies'],
  ['Setting', 'Settings'],
  ['Help', 'Help'],
] as const;

/** Enter needs a selected entry. It may have left the list, or moved in it, with an answer that came later. */
function keepSelection(): void {
  const shown = [...document.querySelectorAll(`#${paletteListId} [data-action]`)];
  const index = Math.max(
    0,
    shown.findIndex((entry) => entry.hasAttribute('data-selected')),
  );
  shown[index]?.setAttribute('data-selected', 'true');
  if (shown.length > 0 && store.getState().selected !== index)
    store.updateState((state) => ({ ...state, selected: index }));
}

/** Finds Runs, Evaluations, hosts, studies and pages by typing. It opens whenever `uses` rises. */
export function Palette({ uses }: { uses: number }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const entries = useEntries(text, isOpen);
  const { selected } = useSpotlight(store);
  const inOrder = groups.map(([kind, label]) => ({ label, own: entries.filter((entry) => entry.kind === kind) }));
  useEffect(() => palette.open(), [uses]);
  useEffect(() => {
    if (isOpen) keepSelection();
  }, [entries, isOpen]);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
      shortcut={null}
      scrollable
      maxHeight={460}
      title="Find"
      classNames={{ header: classes.header!, actionDescription: classes.description! }}
    >
      <Spotlight.Search placeholder="Run, Evaluation, host, study or page" aria-label="Find" />
      <Spotlight.ActionsList id={paletteListId}>
        {inOrder.map(
          ({ label, own }) =>
            own.length > 0 && (
              <Spotlight.ActionsGroup key={label} label={label}>
                {own.map((entry) => (
                  <Spotlight.Action
                    key={entry.id}
                    label={entry.label}
                    description={entry.detail ?? ''}
                    onClick={() => void navigate(entry.to)}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {entries.length === 0 && <Spotlight.Empty>Nothing found.</Spotlight.Empty>}
      </Spotlight.ActionsList>
      {/* The focus stays in the field: a screen reader learns from this what Enter opens. */}
      <VisuallyHidden aria-live="polite">{inOrder.flatMap(({ own }) => own)[selected]?.label}</VisuallyHidden>
    </Spotlight.Root>
  );
}
