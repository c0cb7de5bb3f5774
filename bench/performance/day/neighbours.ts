import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { SMTPServer } from 'smtp-server';

const AUDIENCE = 'portal';

/** What stands beside a server: an identity provider, a receiver of mails, and a collector of traces. */
export interface Neighbours {
  /** The environment of a server that uses them. */
  env: Record<string, string>;
  idToken(login: string): Promise<string>;
  mails: number;
  /** Statements by the id of the trace of a call. */
  statements: Map<string, number>;
  close(): void;
}

interface Span {
  traceId: string;
  kind: number;
}
interface Traces {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** The kind of a span of OTLP that is a statement. */
const CLIENT = 3;

export async function startNeighbours(): Promise<Neighbours> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = {
    keys: [{ ...(await exportJWK(publicKey)), kid: 'day', alg: 'ES256', use: 'sig' }],
  };
  const statements = new Map<string, number>();
  const collect = ({ resourceSpans }: Traces): void => {
    for (const { traceId, kind } of resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ))
      statements.set(traceId, (statements.get(traceId) ?? 0) + (kind === CLIENT ? 1 : 0));
  };
  let issuer = '';
  const provider = await listen((request, response) => {
    const answer = request.url === '/keys' ? keys : { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  issuer = addressOf(provider);
  const collector = await listen((request, response) => {
    void json(request).then((traces) => {
      collect(traces as Traces);
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  const receiver = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => {
        neighbours.mails++;
        done();
      });
    },
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.server.address() as AddressInfo;
  const neighbours: Neighbours = {
    env: {
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: AUDIENCE,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Portal <no-reply@portal.example>',
      OTEL_EXPORTER_OTLP_ENDPOINT: addressOf(collector),
      // Only the calls that ask for it are traced.
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
    idToken: (login) =>
      new SignJWT({ preferred_username: login })
        .setProtectedHeader({ alg: 'ES256', kid: 'day' })
        .setIssuer(issuer)
        .setSubject(login)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime('5 minutes')
        .sign(privateKey),
    mails: 0,
    statements,
    close: () => {
      for (const server of [provider, collector]) {
        server.close();
        server.closeAllConnections();
      }
      receiver.close();
    },
  };
  return neighbours;
}

async function listen(handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
