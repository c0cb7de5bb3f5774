import type { AttackClass, Attempt, Reply } from './attempt.js';
import {
  comparedPoints,
  type InjectionPoint,
  STORED_TABLES,
  storedPoints,
} from './injection-points.js';
import { badAddresses, naughtyStrings, oddCharacters, scripts } from './payloads.js';
import type { Target } from './target.js';
import { pairs, type Random } from '../../support/random.js';

/** Every text in every place, up to `count` attempts. */
function everywhere(texts: string[], places: InjectionPoint[], count: number): Attempt[] {
  return pairs(texts, places)
    .map(([text, place]) => place(text))
    .slice(0, count);
}

export const naughty: AttackClass = {
  id: 'A4',
  goal: 'naughty strings in every place: stored texts come back equal, or are refused',
  size: 16_500,
  writes: STORED_TABLES,
  attempts: async (target, count, random) => {
    const places = [...(await storedPoints(target)), ...comparedPoints(target)];
    return everywhere(naughtyStrings(Math.ceil(count / places.length), random), places, count);
  },
};

export const unicode: AttackClass = {
  id: 'A14',
  goal: 'controls and odd characters: never altered, never half stored',
  size: 4_200,
  writes: STORED_TABLES,
  attempts: async (target, count, random) => {
    const stored = await storedPoints(target);
    const compared = comparedPoints(target);
    const texts = oddCharacters(count, random);
    const places = [...stored.slice(0, 3), ...compared.slice(0, 1), ...compared.slice(8, 12)];
    return texts.map((text, n) => places[n % places.length]!(text));
  },
};

/** Checks that a stored script is sent as JSON that browsers do not sniff. */
const isInert = (answer: Reply): string | undefined => {
  const { headers, status } = answer;
  if (!/^application\/json; charset=utf-8$/.test(String(headers['content-type'])))
    return `${status} as ${String(headers['content-type'])}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'may be sniffed';
  const policy = String(headers['content-security-policy']);
  return policy.includes("default-src 'none'") && !policy.includes('unsafe-inline')
    ? undefined
    : `policy ${policy}`;
};

const LINKS: [resource: string, name: string][] = [
  ['content/documents', 'downloadUrl'],
  ['navigation/applications', 'link'],
  ['navigation/applications', 'helpLinkJS'],
  ['content/customers', 'webSite'],
];

async function linkAttempts(target: Target, count: number, random: Random): Promise<Attempt[]> {
  const places = await Promise.all(
    LINKS.map(async ([resource, name]) => {
      const table = resource.split('/')[1]!;
      const [row] = await target.query<{ id: string }>(
        `SELECT id::text FROM ${table} ORDER BY id LIMIT 1`,
      );
      return { path: `/api/v2/${resource}/${row!.id}`, name };
    }),
  );
  return pairs(badAddresses(Math.ceil(count / places.length), random), places).map(
    ([value, { path, name }]) => ({
      path,
      method: 'PATCH',
      token: target.administrator,
      body: JSON.stringify([{ op: 'replace', path: `/${name}`, value }]),
      judge: (answer) =>
        answer.status === 400 ? undefined : `status ${answer.status} for the link ${value}`,
    }),
  );
}

/** An attempt on the picture of initials that the server draws from a stored title. */
function initialsAttempt(target: Target, script: string): () => Promise<Attempt> {
  return async () => {
    await target.send(`/api/v2/directory/users/${target.personId}`, {
      method: 'PATCH',
      token: target.administrator,
      body: JSON.stringify([{ op: 'replace', path: '/title', value: script.slice(0, 200) }]),
    });
    return {
      path: `/navigation/directory/users/${target.personId}/photo`,
      token: target.person,
      judge: ({ text, headers }) =>
        /<(script|img|svg [^x]|iframe)|on\w+=/i.test(text) ||
        !String(headers['content-security-policy']).includes('sandbox')
          ? text
          : undefined,
    };
  };
}

export const storedScripts: AttackClass = {
  id: 'A11',
  goal: 'stored and reflected scripts: equal as JSON that is never sniffed; script links refused (rendering them belongs to the pages)',
  size: 12_400,
  writes: [...STORED_TABLES, 'users'],
  attempts: async (target, count, random) => {
    const places = (await storedPoints(target)).filter((_, n) => [0, 1, 7, 8, 10, 13].includes(n));
    const reflected = comparedPoints(target).filter((_, n) => [11, 12, 13].includes(n));
    const links = await linkAttempts(target, Math.ceil(count / 31), random);
    const texts = scripts(Math.ceil(count / 6.5), random);
    const stored = everywhere(texts, places, Math.ceil((count * 12) / 13)).map((attempt) => ({
      ...attempt,
      judge: async (answer: Reply) => (await attempt.judge!(answer)) ?? isInert(answer),
    }));
    const shown = texts.slice(0, Math.ceil(count / 60)).flatMap((text) => [
      ...reflected.map((place) => ({ ...place(text), judge: isInert })),
      {
        path: `/${encodeURIComponent(text)}`,
        judge: isInert,
      },
      initialsAttempt(target, text),
    ]);
    return [...stored, ...links, ...shown];
  },
};
