import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import type { Reader } from '../../database/database.js';
import type { Credentials } from '../engines/engine-session.js';
import { lacksSecret, validSecrets } from './endpoint-state.js';
import type { Adapter } from '../engines/endpoint-choices.js';
import { SecretBox } from '../../base/encryption/secret-box.js';
import { type Sign, type SignatureKind, signer } from './signatures.js';

/** The settings of the adapter of an endpoint. */
export interface EngineTarget {
  adapter: Adapter;
  base: URL;
  variables: string[];
  credentials: Credentials | undefined;
}

/** The settings that the sender needs. */
export interface EndpointSettings {
  id: string;
  url: URL;
  content: string;
  /** One for each valid secret, the newest first; none for an endpoint with an adapter. */
  signers: Sign[];
  engine: EngineTarget | undefined;
  failures: number;
  /** Milliseconds until the next attempt; zero or less when it may begin. */
  blockedFor: number;
  /** Whether a delivery may be due. */
  isDue: boolean;
}

/** A row of SETTINGS. */
export interface SettingsRow {
  id: string;
  reference: string;
  url: string;
  content: string;
  failures: number;
  blockedFor: number;
  isDue: boolean;
  adapter: Adapter | null;
  variables: string[];
  secrets: [kind: string, sealed: string][] | null;
}

/** SQL of a JSON array of the active push endpoints, with their secrets. */
export const SETTINGS = `
  SELECT coalesce(json_agg(s), '[]') FROM (
    SELECT p.id::text, p.reference, p.url, p.content, p.adapter, p.variables, coalesce(h.failures, 0) AS failures,
      coalesce(extract(epoch FROM h.blocked_until - now()) * 1000, 0)::float8 AS "blockedFor",
      EXISTS (SELECT FROM deliveries d WHERE d.endpoint_id = p.id AND d.status IN ('waiting', 'leased')
        AND d.next_attempt <= now()) AS "isDue",
      (SELECT json_agg(json_build_array(s.signature, encode(s.sealed, 'hex')) ORDER BY s.id DESC) FROM ${validSecrets('p')}) AS secrets
    FROM endpoints p LEFT JOIN endpoint_health h ON h.endpoint_id = p.id
    WHERE p.mode = 'push' AND p.status = 'active' AND NOT ${lacksSecret('p')} ORDER BY p.id) AS s`;

/** Secrets of an endpoint that this server cannot open. */
interface Unopened {
  sealed: string;
  warning: string;
}

/** The owner to which a sealed secret of an endpoint is bound. */
export const ownerOf = (endpointId: string): string => `endpoint ${endpointId}`;

/** Opens the secrets of push endpoints. */
@Injectable()
export class EndpointSettingsService {
  readonly box: SecretBox;

  private readonly logger = new Logger(EndpointSettingsService.name);
  /** The secrets that the last read could not open, and the warning about them, by the ids of endpoints. */
  private unopened = new Map<string, Unopened>();

  constructor(config: Config) {
    this.box = new SecretBox(config.env.SECRETS_KEY);
  }

  /**
   * Whether the server's `SECRETS_KEY` opens a valid secret of an endpoint; also true for an endpoint without secrets.
   */
  async opensSecret(reader: Reader, id: string): Promise<boolean> {
    const rows = await reader.query<{ sealed: Buffer }>({
      text: `SELECT s.sealed FROM endpoints p, LATERAL (SELECT s.sealed FROM ${validSecrets('p')}) s WHERE p.id = $1`,
      values: [id],
    });
    return rows.length === 0 || rows.some(({ sealed }) => this.box.open(sealed, ownerOf(id)));
  }

  /**
   * The endpoints whose secrets this server can open; the others wait. The log warns once about each of the others, and
   * again after its secrets have changed.
   */
  open(rows: SettingsRow[]): EndpointSettings[] {
    const unopened = new Map<string, Unopened>();
    const settings = rows.flatMap((row): EndpointSettings[] => {
      const { secrets, url, adapter, variables, reference, ...others } = row;
      if (!URL.canParse(url)) return [];
      const base = new URL(url);
      const all = (secrets ?? []).map(([kind, sealed]) => ({
        kind,
        sealed,
        secret: this.box.open(Buffer.from(sealed, 'hex'), ownerOf(row.id)),
      }));
      const opened = all.flatMap(({ kind, secret }) => (secret ? [{ kind, secret }] : []));
      const isUsable = opened.length > 0 || (adapter !== null && all.length === 0);
      if (opened.length < all.length)
        unopened.set(row.id, {
          sealed: all.map(({ sealed }) => sealed).join(),
          warning: isUsable
            ? `SECRETS_KEY does not open every secret of the endpoint ${reference}: the server signs with the others`
            : `SECRETS_KEY does not open the secret of the endpoint ${reference}: its events wait`,
        });
      if (!isUsable) return [];
      if (adapter !== null) {
        const [stored] = opened;
        const credentials = stored && (JSON.parse(String(stored.secret)) as Credentials);
        const engine = { adapter, base, variables, credentials };
        return [{ ...others, url: base, signers: [], engine }];
      }
      const signers = opened.map(({ kind, secret }) => signer(kind as SignatureKind, secret));
      return [{ ...others, url: base, signers, engine: undefined }];
    });
    this.warn(unopened);
    return settings;
  }

  /** Logs the differences from the last read, which may be a second ago. */
  private warn(unopened: Map<string, Unopened>): void {
    for (const [id, { sealed, warning }] of unopened)
      if (this.unopened.get(id)?.sealed !== sealed) this.logger.warn(warning);
    this.unopened = unopened;
  }
}
