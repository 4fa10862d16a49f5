/** Every kind of test, in the order in which they are run. All but `lint` are folders under tests/ and projects of vitest. */
export const testKinds = ['lint', 'unit', 'fuzz', 'calibration', 'db', 'browser', 'testbed', 'e2e'] as const;
export type TestKind = (typeof testKinds)[number];
export type VitestKind = Exclude<TestKind, 'lint'>;
