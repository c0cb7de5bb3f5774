import { Check, Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import type { Principal } from '../../directory/principal.entity.js';
import { IdentifiedEntity } from '../../resources/base.entity.js';

/** A receiver of events of tasks: an address to which the server pushes them, or a queue that workers empty. */
@Entity('endpoints')
@Check('endpoints_mode_check', `mode IN ('push', 'pull')`)
@Check('endpoints_url_check', `(mode = 'push') = (url IS NOT NULL)`)
@Check('endpoints_content_check', `content IN ('full', 'thin')`)
@Check('endpoints_signature_check', `signature IN ('hmac', 'ed25519')`)
@Check('endpoints_status_check', `status IN ('active', 'paused')`)
@Check(
  'endpoints_adapter_check',
  `adapter IS NULL OR (adapter IN ('camunda7', 'camunda8', 'flowable', 'bonita')
    AND mode = 'push' AND source_id IS NOT NULL)`,
)
export class Endpoint extends IdentifiedEntity {
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text' })
  mode!: string;

  @Column({ type: 'text', nullable: true })
  url!: string | null;

  @Column({ type: 'text', default: 'full' })
  content!: string;

  @Column({ type: 'text', default: 'hmac' })
  signature!: string;

  @Column({ type: 'text', array: true, default: '{}' })
  kinds!: string[];

  @Column({ type: 'bigint', nullable: true })
  accountId!: string | null;

  @ManyToOne('User')
  @JoinColumn()
  account?: Principal | null;

  @Column({ type: 'text', default: 'active' })
  status!: string;

  @Column({ type: 'bigint', nullable: true })
  sourceId!: string | null;

  @ManyToOne('Source')
  @JoinColumn()
  source?: IdentifiedEntity | null;

  @Column({ type: 'boolean', default: false })
  confirms!: boolean;

  /** The engine whose own API receives the decisions. */
  @Column({ type: 'text', nullable: true })
  adapter!: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  variables!: string[];
}
