import { Check, Column, Entity, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { IdentifiedEntity } from '../resources/base.entity.js';
import type { LdapSettings } from './ldap-settings.js';
import type { Principal } from './principal.entity.js';

/** Another directory that keeps users and groups here. */
@Entity('providers')
@Check('providers_kind_check', "kind IN ('scim', 'ldap')")
@Unique('providers_service_account_key', ['serviceAccountId'])
export class Provider extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text' })
  kind!: ProviderKind;

  @Column({ type: 'boolean', default: true })
  active!: boolean;

  /** How it is read; null for a provider that calls. */
  @Column({ type: 'jsonb', nullable: true })
  ldap!: LdapSettings | null;

  /** Whether its writes are checked and taken back. */
  @Column({ type: 'boolean', default: false })
  dryRun!: boolean;

  @Column({ type: 'bigint', nullable: true })
  serviceAccountId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  serviceAccount?: Principal | null;
}

/** How a provider writes: it calls this server, or this server reads it. */
export type ProviderKind = 'scim' | 'ldap';
