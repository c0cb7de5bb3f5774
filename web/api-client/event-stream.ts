import { send } from './api.js';

/** A message of a stream of events. */
export interface ServerEvent {
  event: string;
  /** Its data, as JSON. */
  data: unknown;
  /** How long to wait before the next stream, in milliseconds, if the message has it. */
  retry?: number;
}

/** After this silence a connection is dead, in milliseconds: the server speaks every 15 seconds. */
const MAX_SILENCE = 40_000;

/**
 * Reads server-sent events with the token of the session, which EventSource cannot send.
 * @throws ApiProblem when the server refuses the stream; any error of the network once it has begun
 */
export async function* readEvents(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void> {
  const silence = new AbortController();
  const response = await send(path, {
    headers: { Accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest = '';
  try {
    for (;;) {
      timer = setTimeout(() => silence.abort(), MAX_SILENCE);
      const { value, done } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) if (!part.startsWith(':')) yield parseEvent(part);
    }
  } finally {
    clearTimeout(timer);
    // Runs also when the consumer of the events leaves, because the connection would stay open.
    reader.cancel().catch(() => undefined);
  }
}

function parseEvent(text: string): ServerEvent {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const retry = fields.get('retry');
  return {
    event: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null'),
    ...(retry !== undefined && { retry: Number(retry) }),
  };
}
