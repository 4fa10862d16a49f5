import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { SplitCounters } from './split-program.ts';

const count = z.string().regex(/^\d+$/).transform(Number);
const RowSchema = z.object({ stot: count, bin: count, bout: count });

/** Reads them from what haproxy prints for `show stat`: a header, and a line for each frontend and backend (management guide, 9.1). */
export function readProxyCounters(printed: string): SplitCounters {
  const [header = '', ...lines] = printed.split('\n');
  const names = header.replace(/^# /, '').split(',');
  const rows = lines.map((line) => new Map(line.split(',').map((value, index) => [names[index], value])));
  const users = rows.find((row) => row.get('pxname') === 'users' && row.get('svname') === 'FRONTEND');
  const parsed = RowSchema.safeParse(Object.fromEntries(users ?? []));
  if (!parsed.success)
    throw new AppError(
      'testbed-failed',
      `haproxy reports no connections of users: it printed ${JSON.stringify(printed.slice(0, 500))}`,
    );
  const { stot, bin, bout } = parsed.data;
  return { connections: stot, fromUsersBytes: bin, toUsersBytes: bout };
}
