/** Every kind of test, the quickest first. All but `lint` are folders under tests/ and projects of vitest. */
export const testKinds = ['lint', 'unit', 'calibration', 'db', 'browser', 'testbed', 'e2e'] as const;
export type TestKind = (typeof testKinds)[number];
export type VitestKind = Exclude<TestKind, 'lint'>;
