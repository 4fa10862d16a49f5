import { expect, test } from 'vitest';
import { stateEndedTls, stateLossy } from '#core/comparison/compute-comparison.ts';
import { HttpepSchema, httpepCodings, httpepImageFormats, httpepSchedulers } from '#core/evaluation/network/httpep.ts';
import { codings } from '#httpep/exchange/body-coder.ts';
import { imageFormats } from '#httpep/ground/compress/compression.ts';
import { schedulerNames } from '#httpep/scheduler/scheduler.ts';

const scenario = (name: string, images: 'none' | 'jpeg') => ({ name, httpep: HttpepSchema.parse({ images }) });

test('the remark names the Scenarios whose images lose detail', () => {
  expect(stateLossy([{ name: 'direct' }, scenario('plain', 'none')])).toEqual([]);
  const remarks = stateLossy([scenario('A', 'jpeg'), scenario('plain', 'none'), scenario('B', 'jpeg')]);
  expect(remarks.map(({ about, text }) => [about, text.split(',')[0]])).toEqual([['lossy', 'Under A and B']]);
});

test('another remark names the Scenarios in which HTTPEP reads what is encrypted', () => {
  const ends = (name: string, tls: 'untouched' | 'terminate') => ({ name, httpep: HttpepSchema.parse({ tls }) });
  expect(stateEndedTls([{ name: 'direct' }, ends('CONNECT', 'untouched')])).toEqual([]);
  const remarks = stateEndedTls([ends('A', 'terminate'), ends('CONNECT', 'untouched'), ends('B', 'terminate')]);
  expect(remarks.map(({ about, text }) => [about, text.split(',')[0]])).toEqual([['ended-tls', 'Under A and B']]);
});

test('a Scenario can choose what HTTPEP can do', () => {
  expect([...httpepCodings].toSorted()).toEqual([...codings, 'none'].toSorted());
  expect([...httpepImageFormats].toSorted()).toEqual([...imageFormats, 'none'].toSorted());
  expect([...httpepSchedulers].toSorted()).toEqual([...schedulerNames].toSorted());
});
