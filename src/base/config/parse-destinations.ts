import { parseCidrList } from './parse-cidr-list.js';

/** An allowed host for pushes: its name, or every name below it (`*.example.com`). */
const HOST =
  /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** Reads the server parameter: host names and networks, separated by commas, semicolons or blanks. */
export function parseDestinations(text: string): {
  hosts: string[];
  networks: string;
  unreadable: string[];
} {
  const all = text.split(/[\s,;]+/).filter(Boolean);
  const networks: string[] = [];
  const hosts: string[] = [];
  const unreadable: string[] = [];
  for (const entry of all) {
    const isNumeric = /^[\d.]+$/.test(entry) || entry.includes(':') || entry.includes('/');
    if (isNumeric && parseCidrList(entry).entries.length === 1) networks.push(entry);
    else if (!isNumeric && HOST.test(entry.toLowerCase())) hosts.push(entry.toLowerCase());
    else unreadable.push(entry);
  }
  return { hosts, networks: networks.join(' '), unreadable };
}
