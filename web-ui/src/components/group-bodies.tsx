import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { partByGroup } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import classes from './group-bodies.module.css';

interface GroupBodiesProps<Item> {
  groups: Comparison['groups'];
  items: readonly Item[];
  scenarioOf: (item: Item) => string;
  /** Of the table. */
  columns: number;
  /** The row of one Scenario, or its rows. */
  children: (item: Item) => ReactNode;
}

/** The rows of Scenarios in the body of a table or, where they have groups, in a body for each group, below its name. */
export function GroupBodies<Item>({ groups, items, scenarioOf, columns, children }: GroupBodiesProps<Item>) {
  return partByGroup(groups, items, scenarioOf)
    .filter((part) => part.items.length > 0)
    .map(({ group, items: own }) => (
      <Table.Tbody key={group?.name ?? ''}>
        {group && (
          <Table.Tr>
            <Table.Th scope="rowgroup" colSpan={columns} className={classes.name}>
              {group.name}
            </Table.Th>
          </Table.Tr>
        )}
        {own.map(children)}
      </Table.Tbody>
    ));
}
