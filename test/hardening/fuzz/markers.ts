import { type AttackClass, type Attempt, bodyOf, type Reply } from './attempt.js';
import type { Target } from './target.js';
import { mutate, type Random } from '../../support/random.js';

const SEARCH = '/navigation/search/workplace';
const SEARCHES: Record<string, string> = {
  Users: 'workplace_searchUsers',
  Documents: 'workplace_documents_search',
  News: 'workplace_news_search',
  Faqs: 'workplace_faq_search',
  Customers: 'workplace_customers_search',
};

interface Envelope {
  type?: string;
  data?: { ID: string }[];
  searchIndexTop?: string;
}

const address = (
  name: string,
  top?: string,
  encode: (text: string) => string = encodeURIComponent,
): string =>
  `${SEARCH}?query=&searchName=${name}&searchField=quickSearch${top === undefined ? '' : `&searchIndexTop=${encode(top)}`}`;

/** Reads a search page by page: all markers that a person gets, and all records that they see. */
async function readAllPages(target: Target, token: string, name: string) {
  const markers: string[] = [];
  const ids = new Set<string>();
  let top: string | undefined;
  for (;;) {
    const page = bodyOf<Envelope>(await target.send(address(name, top), { token }));
    for (const { ID } of page.data ?? []) ids.add(ID);
    top = page.searchIndexTop;
    if (top === undefined) return { markers, ids };
    markers.push(top);
  }
}

function forged(marker: string, random: Random): string {
  const [index = '', position = ''] = marker.split('¤');
  const plain = Buffer.from(position, 'base64url').toString();
  const [id = '', title = ''] = plain.split('\n');
  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  return random.pick([
    () => mutate(marker, random),
    () => mutate(mutate(marker, random), random),
    () =>
      `${index}¤${random.pick(['-1', '1e9', '0', '1;drop', '', '99999999999', 'NaN', '¤', '%00', '../1'])}`,
    () => `${random.pick(Object.keys(SEARCHES))}¤${position}`,
    () => `${index}¤${encode(`${random.below(400)}\n${title}`)}`,
    () => `${index}¤${encode(`${id}\n${mutate(title, random)}`)}`,
    () =>
      `${index}¤${encode(`${random.pick(['0', '-1', '9223372036854775808', 'x', "1' OR 1=1"])}\n${title}`)}`,
    () => `${index}¤${encode(`${id}\n`)}`,
    () => `${index}¤${encode(`${id}\n\0`)}`,
    () => `${index}¤${encode('x'.repeat(1_000))}`,
    () => `${index}¤${position}=`,
    () => position,
    () => index,
    () => marker.toLowerCase(),
    () => marker.slice(0, -1 - random.below(5)),
    () => marker.replace('¤', random.pick(['$', '', '¤¤', ' ¤', '€'])),
  ])();
}

export const markers: AttackClass = {
  id: 'A13',
  asEachRole: true,
  goal: 'markers: forged ones are an error envelope, or a page of what this person sees anyway',
  size: 2_000,
  attempts: async (target, count, random) => {
    const { person, administrator } = target;
    const names = Object.values(SEARCHES);
    const own = new Map<string, Set<string>>();
    const pool: string[] = [];
    for (const name of names) {
      const mine = await readAllPages(target, person, name);
      own.set(name, mine.ids);
      pool.push(...mine.markers, ...(await readAllPages(target, administrator, name)).markers);
    }
    const judge =
      (name: string) =>
      (answer: Reply): string | undefined => {
        const { type, data = [] } = bodyOf<Envelope>(answer);
        if (answer.status !== 200 || (type !== 'success' && type !== 'error'))
          return `status ${answer.status}`;
        const others = data.filter(({ ID }) => !own.get(name)!.has(ID));
        return others.length === 0 ? undefined : `shows ${others.map(({ ID }) => ID).join()}`;
      };
    const latin1 = (text: string): string => encodeURIComponent(text).replaceAll('%C2%A4', '%A4');
    return Array.from({ length: count }, (_, n): Attempt => {
      const name = random.pick(names);
      // Every tenth is an issued marker, unchanged.
      const marker = n % 10 === 0 ? random.pick(pool) : forged(random.pick(pool), random);
      const encode = random.next() < 0.2 ? latin1 : encodeURIComponent;
      return {
        path: address(name, marker.toWellFormed(), encode),
        token: person,
        judge: judge(name),
      };
    });
  },
};
