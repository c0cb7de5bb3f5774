import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { groups } from '../directory/group.resource.js';
import type { LdapSettings } from '../directory/ldap-settings.js';
import { uriOf } from '../resources/uri.js';
import type { AuditContext } from '../security/audit.service.js';

/** A change of a run, with its reason. */
export interface RunChange {
  action: 'create' | 'update' | 'deactivate' | 'delete' | 'archive' | 'skip';
  /** The login of a person, the label of a group, or the key of an entry that was skipped. */
  name: string;
  reason: string;
}

/** An entry that could not be kept. */
export type Skipped = Omit<RunChange, 'action'>;

/** What the steps of a run share. */
export interface RunContext {
  session: DedicatedConnection;
  provider: string;
  settings: LdapSettings;
  /** Whether everything was read, not only what has changed. */
  isFull: boolean;
  auditContext: AuditContext;
  skip: (skipped: Skipped) => void;
  written: (change: RunChange) => void;
}

/** The URI of a group. */
export const groupUri = (id: string): string => uriOf(groups.ref.uri, id);
