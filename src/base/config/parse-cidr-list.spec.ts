import { describe, expect, it } from '@jest/globals';
import { networkOf, parseCidrList, unmapAddress } from './parse-cidr-list.js';

describe('parseCidrList', () => {
  it.each([
    ['127.0.0.1', 1],
    ['127.0.0.1, ::1', 2],
    ['127.0.0.1;::1', 2],
    ['127.0.0.1 ::1\n10.0.0.0/8', 3],
    [' , ; 127.0.0.1 ,', 1],
    ['', 0],
    ['10.0.0.0/8', 1],
    ['10.1.2.3/32', 1],
    ['2001:db8::/32', 1],
    ['fe80::/10', 1],
    ['::ffff:10.0.0.1', 1],
    ['::ffff:10.0.0.0/104', 1],
    ['::ffff:a00:1', 1],
    ['64:ff9b::1.2.3.4', 1],
    ['0.0.0.0/1, 128.0.0.0/1', 2],
  ])('reads %j as %d entries', (text, count) => {
    const { entries, unreadable } = parseCidrList(text);
    expect([entries.length, unreadable]).toEqual([count, []]);
  });

  it.each([
    '0.0.0.0/0',
    '10.0.0.0/0',
    '::/0',
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '256.0.0.1',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/08',
    '1.2.3.4/a',
    '10.1.2.3/8',
    '2001:db8::1/32',
    '::1/129',
    ':::1',
    '1::2::3',
    'fe80::1%eth0',
    'localhost',
    'example.com',
    '*',
    '10.0.0.*',
    '10.0.0.1-10.0.0.9',
    '[::1]',
    '127.0.0.1:80',
    '::ffff:10.0.0.0/8',
    "127.0.0.1'",
    '１.2.3.4',
  ])('refuses %j', (text) => {
    const { entries, unreadable } = parseCidrList(`127.0.0.1 ${text}`);
    expect([entries.map((entry) => entry.text), unreadable]).toEqual([['127.0.0.1'], [text]]);
  });
});

describe('unmapAddress', () => {
  it('unmaps mapped addresses and leaves all others', () => {
    expect(['::FFFF:1.2.3.4', '::ffff:102:304', '1.2.3.4', '::1.2.3.4'].map(unmapAddress)).toEqual([
      '1.2.3.4',
      '1.2.3.4',
      '1.2.3.4',
      '::1.2.3.4',
    ]);
  });
});

describe('networkOf', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('%j counts as %j', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
