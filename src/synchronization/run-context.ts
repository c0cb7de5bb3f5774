import { Bindings } from '../database/bindings.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { groups } from '../directory/group.resource.js';
import type { LdapSettings } from '../directory/ldap-settings.js';
import { uriOf } from '../resources/uri.js';
import { type AuditContext, type AuditLine, insertAuditLines } from '../security/audit.service.js';

/** Lines of the audit trail that are sent together. */
const BATCH = 1_000;

/** A change of a run, with its reason. */
export interface RunChange {
  action: 'create' | 'update' | 'deactivate' | 'delete' | 'archive' | 'skip';
  /** The login of a person, the label of a group, or the key of an entry that was skipped. */
  name: string;
  reason: string;
}

/** An entry that could not be kept. */
export interface Skipped {
  name: string;
  reason: string;
}

/** What the steps of a run share. */
export interface RunContext {
  session: DedicatedConnection;
  provider: string;
  settings: LdapSettings;
  auditContext: AuditContext;
  skip: (skipped: Skipped) => void;
  written: (change: RunChange) => void;
}

/** Writes lines of the audit trail. */
export async function recordAll(session: DedicatedConnection, lines: AuditLine[]): Promise<void> {
  for (let from = 0; from < lines.length; from += BATCH) {
    const { bind, values } = new Bindings();
    const text = insertAuditLines(lines.slice(from, from + BATCH), bind);
    await session.execute({ text, values });
  }
}

/** The URI of a group. */
export const groupUri = (id: string): string => uriOf(groups.ref.uri, id);
