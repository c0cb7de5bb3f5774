import type { Answer, TestServer } from './test-server.js';

/** One object or tombstone of the change feed. */
export interface FeedItem {
  kind: string;
  id: string;
  uri: string;
  state: 'current' | 'deleted' | 'out-of-sight';
  revision?: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- representations are asserted as received
  object?: any;
}

/** The parameters of the feed; undefined ones are left out. */
export type FeedParameters = Record<string, string | number | undefined>;

/** Calls the change feed. */
export function callFeed(
  server: Pick<TestServer, 'call'>,
  token: string | undefined,
  parameters: FeedParameters,
  accept?: string,
): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return server.call(`/api/v2/changes?${query.toString()}`, {
    token,
    headers: accept === undefined ? {} : { Accept: accept },
  });
}

/** A consumer that keeps a copy of the data by the change feed alone. */
export class FeedConsumer {
  /** The objects by kind and id. */
  readonly copy = new Map<string, FeedItem>();
  cursor: string | undefined;

  constructor(
    private readonly server: Pick<TestServer, 'call'>,
    private readonly token: string,
    private readonly kinds: string,
    private readonly limit?: number,
  ) {}

  /**
   * Reads one page.
   * @throws Error when the answer is no page
   */
  async page(wait?: number): Promise<{ changes: FeedItem[]; upToDate: boolean }> {
    const { kinds, limit, cursor: after } = this;
    const answer = await callFeed(this.server, this.token, { kinds, limit, after, wait });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const { changes, next, upToDate } = answer.body as {
      changes: FeedItem[];
      next: string;
      upToDate: boolean;
    };
    for (const item of changes) this.keep(item);
    this.cursor = next;
    return { changes, upToDate };
  }

  keep(item: FeedItem): void {
    const key = `${item.kind} ${item.id}`;
    if (item.state === 'current') this.copy.set(key, item);
    else this.copy.delete(key);
  }

  /** Reads pages until the copy is up to date; returns what they held. */
  async catchUp(): Promise<FeedItem[]> {
    const items: FeedItem[] = [];
    for (;;) {
      const { changes, upToDate } = await this.page();
      items.push(...changes);
      if (upToDate) return items;
    }
  }

  /** The ids of a kind in the copy, in ascending order. */
  idsOf(kind: string): string[] {
    return [...this.copy.values()]
      .filter((item) => item.kind === kind)
      .map(({ id }) => id)
      .sort((a, b) => Number(a) - Number(b));
  }
}
