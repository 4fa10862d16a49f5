/** What is read here of a plan that PostgreSQL explains as JSON. */
export interface ExplainedPlan {
  Plan: PlanNode;
  'Planning Time': number;
  'Execution Time': number;
  JIT?: object;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Temp Written Blocks': number;
  Plans?: PlanNode[];
}

export interface PlanSummary {
  milliseconds: number;
  buffersHit: number;
  buffersRead: number;
  /** Of files where memory was not enough. */
  buffersSpilled: number;
  isCompiled: boolean;
  /** A line for each different scan. */
  scans: string[];
  /** The scans that read a whole relation which grows with the stored Visits. */
  wholeScans: string[];
}

const growing = ['visit', 'snapshot', 'pass'];

/** The scans of a plan, with those that read all of `visit`, `snapshot` or `pass`: sequential ones, and those of an index without a condition. */
export function summarisePlan(explained: ExplainedPlan): PlanSummary {
  const scans = listNodes(explained.Plan).filter(isScan);
  return {
    milliseconds: explained['Planning Time'] + explained['Execution Time'],
    buffersHit: explained.Plan['Shared Hit Blocks'],
    buffersRead: explained.Plan['Shared Read Blocks'],
    buffersSpilled: explained.Plan['Temp Written Blocks'],
    isCompiled: explained.JIT !== undefined,
    scans: [...new Set(scans.map(describeScan))],
    wholeScans: [...new Set(scans.filter(readsAll).map(describeScan))],
  };
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

function isScan(node: PlanNode): boolean {
  return node['Node Type'].endsWith('Scan') && (node['Relation Name'] ?? node['Index Name']) !== undefined;
}

function readsAll(node: PlanNode): boolean {
  if (node['Node Type'] === 'Seq Scan') return growing.includes(node['Relation Name']!);
  const isByIndex = node['Node Type'].startsWith('Index') && growing.includes(node['Relation Name']!);
  return isByIndex && node['Index Cond'] === undefined;
}

function describeScan(node: PlanNode): string {
  const of = [node['Relation Name'], node['Index Name']].filter((name) => name !== undefined).join(' by ');
  if (node['Actual Loops'] === 0) return `${node['Node Type']} of ${of}: never executed`;
  const removed = node['Rows Removed by Filter'] ?? 0;
  const times = node['Actual Loops'] === 1 ? '' : ` × ${node['Actual Loops']}`;
  const filtered = removed === 0 ? '' : ` (and ${removed} removed)`;
  return `${node['Node Type']} of ${of}: ${Math.round(node['Actual Rows'])} rows${filtered}${times}`;
}
