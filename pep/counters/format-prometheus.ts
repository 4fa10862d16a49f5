import { connectionHelp, groundUserHelp, remoteUserHelp, tunnelHelp } from './counter-help.ts';
import type { CounterRow, CounterSource } from './counter-row.ts';

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export function formatPrometheus(source: CounterSource): string {
  const rows = source.readRows();
  const { end } = source;
  const users = end === 'remote' ? remoteUserHelp : groundUserHelp;
  return [
    ...Object.entries(users).map(([name, help]) => formatFamily({ end, kind: 'user', name, help, rows })),
    ...Object.entries(connectionHelp).map(([name, help]) =>
      formatFamily({ end, kind: 'connection', name, help, rows }),
    ),
    ...Object.entries(end === 'ground' ? tunnelHelp : {}).map(([name, help]) =>
      formatFamily({ end, kind: 'tunnel', name, help, rows }),
    ),
  ].join('');
}

interface Family {
  end: CounterSource['end'];
  kind: CounterRow['kind'];
  name: string;
  help: string;
  rows: readonly CounterRow[];
}

function formatFamily({ end, kind, name, help, rows }: Family): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isGauge = kind === 'tunnel';
  const family = `httpep_${end}_${kind}_${words}${isGauge ? '' : '_total'}`;
  const samples = rows
    .filter((row) => row.kind === kind && row.sums[name] !== undefined)
    .map(({ labels, sums }) => `${family}{${formatLabels(labels)}} ${Math.round(sums[name]! * 1000) / 1000}\n`);
  return [`# HELP ${family} ${help}\n`, `# TYPE ${family} ${isGauge ? 'gauge' : 'counter'}\n`, ...samples].join('');
}

function formatLabels(labels: CounterRow['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
