import { Tooltip } from '@mantine/core';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { cssColour } from '../../components/scenario/series-colours.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { describeSlot, type RoundSlot, describeFaults } from './round-slots.ts';
import classes from './round-grid.module.css';

interface RoundGridProps {
  slots: RoundSlot[];
  scenarios: Scenario[];
  styles: Map<string, ScenarioStyle>;
  shownIndex: number | null;
  onChoose: (index: number) => void;
}

/** Blocks from left to right, a row per Scenario; each cell is a Round, and fills as it is measured. */
export function RoundGrid({ slots, scenarios, styles, shownIndex, onChoose }: RoundGridProps) {
  const columns = listColumns(slots);
  const slotAt = new Map(slots.map((slot) => [`${keyOf(slot)} ${slot.scenario}`, slot]));
  return (
    <div className={classes.scroll}>
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              <Term of="block">Block</Term>
            </th>
            {columns.map((column) => (
              <th key={keyOf(column)} scope="col" className={classes.block} data-added={column.isFirstAdded}>
                {column.isFirstAdded && 'added: '}
                {column.warmUp ? <Term of="warmUp">warm-up</Term> : column.block}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scenarios.map(({ name, baseline }) => (
            <tr key={name}>
              <th scope="row" className={classes.scenario}>
                <ScenarioName name={name} style={styles.get(name)} isBaseline={baseline} />
              </th>
              {columns.map((column) => {
                const slot = slotAt.get(`${keyOf(column)} ${name}`);
                return (
                  <td key={keyOf(column)} className={classes.cell} data-added={column.isFirstAdded}>
                    {slot && (
                      <RoundCell
                        slot={slot}
                        colour={cssColour(styles.get(name)!.colour)}
                        isShown={slot.index === shownIndex}
                        onChoose={onChoose}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Column extends Pick<RoundSlot, 'addition' | 'block' | 'warmUp'> {
  /** Whether Rounds begin here that were added. */
  isFirstAdded: boolean;
}

/** A column for each Block, those of added Rounds after the others. */
function listColumns(slots: readonly RoundSlot[]): Column[] {
  const inOrder = slots.toSorted((one, other) => one.addition - other.addition || one.block - other.block);
  const distinct = [...new Map(inOrder.map((slot) => [keyOf(slot), slot])).values()];
  return distinct.map(({ addition, block, warmUp }, index) => ({
    addition,
    block,
    warmUp,
    isFirstAdded: addition > 0 && distinct[index - 1]?.addition !== addition,
  }));
}

const keyOf = ({ addition, block }: Pick<RoundSlot, 'addition' | 'block'>) => `${addition} ${block}`;

interface RoundCellProps {
  slot: RoundSlot;
  colour: string;
  isShown: boolean;
  onChoose: (index: number) => void;
}

function RoundCell({ slot, colour, isShown, onChoose }: RoundCellProps) {
  const last = slot.attempts.at(-1);
  const state = last?.state ?? 'planned';
  const words = `Round ${slot.index + 1}, ${describeSlot(slot)}`;
  if (state === 'planned') return <span className={classes.round} data-state="planned" title={words} />;
  return (
    <Tooltip label={words}>
      <button
        type="button"
        className={classes.round}
        data-state={state}
        data-warm-up={slot.warmUp}
        data-repeated={slot.attempts.length > 1}
        data-faulty={last !== undefined && describeFaults(last.totals) !== null}
        style={{ '--scenario': colour }}
        aria-label={words}
        aria-pressed={isShown}
        onClick={() => onChoose(slot.index)}
      >
        {state === 'broken' && '!'}
      </button>
    </Tooltip>
  );
}
