import { expect, it } from '@jest/globals';
import { PARAMETERS } from '../../src/security/parameters/parameter-definitions.js';
import { en } from '../../web/console/translations/en.js';

const PREFIX = 'com.platform.';

it('describe every server parameter in the console, and head every section', () => {
  const keys = Object.values(PARAMETERS).map(({ key }) => key.replace(PREFIX, ''));
  const sections = keys.map((key) => key.split('.').slice(0, -1).join('.'));
  const texts = [
    ...keys.map((key) => `parameter.${key}`),
    ...[...new Set(sections)].map((name) => `parameters.section.${name}`),
  ];
  expect(texts.filter((text) => !(text in en))).toEqual([]);
});
