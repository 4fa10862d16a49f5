import { AppError } from '#core/app-error.ts';
import { TestbedStateSchema, type TestbedState } from '#core/protocol/api/testbed-state.ts';
import { emptyRoute, jsonRoute, type Route } from '../http/route.ts';
import type { Services, TestbedSwitch } from '../http/services.ts';

export function testbedRoutes({ testbed }: Services): Route[] {
  const path = '/api/testbed';
  return [
    jsonRoute({
      method: 'get',
      path,
      summary: 'Get the state of the testbed on the machine of the Controller',
      access: 'viewer',
      answer: TestbedStateSchema,
      handle: () => readState(testbed),
    }),
    emptyRoute({
      method: 'post',
      path,
      summary: 'Start a testbed on the machine of the Controller: its hosts join when the state is `on`',
      access: 'admin',
      isForPeople: true,
      handle: async () => {
        const state = await readState(testbed);
        if (state.kind === 'unavailable') throw new AppError('conflict', state.reason);
        testbed!.start();
      },
      audit: () => ({ action: 'testbed-started', subject: 'Testbed' }),
    }),
    emptyRoute({
      method: 'delete',
      path,
      summary: 'End the testbed on the machine of the Controller, and its hosts',
      access: 'admin',
      isForPeople: true,
      handle: async () => testbed?.end(),
      audit: () => ({ action: 'testbed-ended', subject: 'Testbed' }),
    }),
  ];
}

async function readState(testbed: TestbedSwitch | null): Promise<TestbedState> {
  const reason = 'This Controller starts no testbed. One that is started by “./http-ae up --agent” does';
  return testbed === null ? { kind: 'unavailable', reason } : testbed.readState();
}
