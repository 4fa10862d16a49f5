import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import { counterpartAddress } from '../../api/pair-search.ts';
import { runQuery } from '../../api/queries.ts';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';

/** The way to this Visit beside that of the same Block under another Scenario. Not there where there is no other. */
export function CompareMenu({ visit: { id, runId, scenario, warmUp } }: { visit: VisitDetail }) {
  const { data: run } = useQuery(runQuery(runId));
  const scenarios = run?.evaluation.scenarios ?? [];
  const others = scenarios.filter(({ name }) => name !== scenario);
  if (warmUp || others.length === 0) return null;
  const styles = styleScenarios(scenarios);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default">Compare with…</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>The same page and Block under</Menu.Label>
        {others.map(({ name }) => (
          <Menu.Item
            key={name}
            component={Link}
            to={counterpartAddress(runId, { first: id, scenario: name, metric: 'totalMs' })}
          >
            <ScenarioName name={name} style={styles.get(name)} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
