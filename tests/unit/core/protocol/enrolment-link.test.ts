import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEnrolmentLink, readEnrolmentLink } from '#core/protocol/enrolment-link.ts';

test('a link holds address, token and name of any characters, and is read back with blanks around it', () => {
  const text = fc
    .string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
    .map((value) => value.trim())
    .filter((value) => value !== '' && !/\p{Cc}/u.test(value) && value.length <= 80);
  fc.assert(
    fc.property(text, text, (token, name) => {
      const enrolment = { controllerUrl: 'https://controller.example:8443/ae/', token, name };
      expect(readEnrolmentLink(`  ${makeEnrolmentLink(enrolment)}\n`)).toEqual(enrolment);
    }),
  );
});

test('the token stands behind the #, where no server sees it', () => {
  expect(makeEnrolmentLink({ controllerUrl: 'http://10.0.0.1:8080', token: 'secret', name: 'lab 1' })).toBe(
    'http://10.0.0.1:8080/#enrol=secret&name=lab+1',
  );
});

test.each([
  '',
  'nothing',
  'https://controller.example',
  'https://controller.example/#enrol=secret',
  'https://controller.example/#name=lab',
  'ftp://controller.example/#enrol=secret&name=lab',
])('%j is no enrolment link', (link) => {
  expect(readEnrolmentLink(link)).toBeNull();
});
