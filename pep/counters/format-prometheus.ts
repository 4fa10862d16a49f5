import { connectionHelp, groundUserHelp, remoteUserHelp } from './counter-help.ts';
import type { CounterRow, CounterSource } from './counter-row.ts';

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export function formatPrometheus(source: CounterSource): string {
  const rows = source.readRows();
  const helpOf = { user: source.end === 'remote' ? remoteUserHelp : groundUserHelp, connection: connectionHelp };
  const families = (['user', 'connection'] as const).flatMap((kind) =>
    Object.entries(helpOf[kind]).map(([name, help]) => formatFamily({ end: source.end, kind, name, help, rows })),
  );
  return families.join('');
}

interface Family {
  end: CounterSource['end'];
  kind: CounterRow['kind'];
  name: string;
  help: string;
  rows: readonly CounterRow[];
}

function formatFamily({ end, kind, name, help, rows }: Family): string {
  const family = `httpep_${end}_${kind}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_total`;
  const samples = rows
    .filter((row) => row.kind === kind && row.sums[name] !== undefined)
    .map(({ labels, sums }) => `${family}{${formatLabels(labels)}} ${Math.round(sums[name]! * 1000) / 1000}\n`);
  return [`# HELP ${family} ${help}\n`, `# TYPE ${family} counter\n`, ...samples].join('');
}

function formatLabels(labels: CounterRow['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
