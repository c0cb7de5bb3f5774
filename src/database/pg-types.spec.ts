import { describe, expect, it } from '@jest/globals';
import { snakeCase } from './naming-strategy.js';
import { formatTimestamp } from './pg-types.js';

describe('formatTimestamp', () => {
  it.each([
    ['2026-11-21 04:31:50+00', '2026-11-21T04:31:50.000Z'],
    ['2026-11-21 04:31:50.1+00', '2026-11-21T04:31:50.100Z'],
    ['2026-11-21 04:31:50.12+00', '2026-11-21T04:31:50.120Z'],
    ['2026-11-21 04:31:50.123+00', '2026-11-21T04:31:50.123Z'],
    ['2026-11-21 04:31:50.123999+00', '2026-11-21T04:31:50.123Z'],
  ])('%s', (text, expected) => {
    expect(formatTimestamp(text)).toBe(expected);
  });
});

describe('snakeCase', () => {
  it.each([
    ['lastName', 'last_name'],
    ['helpLinkJS', 'help_link_js'],
    ['id', 'id'],
    ['organizationId', 'organization_id'],
  ])('%s', (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });
});
