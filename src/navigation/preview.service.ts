import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Rights } from '../base/rights/rights.js';
import { EVERYONE } from '../directory/audience-condition.js';
import { Database } from '../database/database.js';
import { groups } from '../directory/group.resource.js';
import { organizations } from '../directory/organization.resource.js';
import { User } from '../directory/user.entity.js';
import { users } from '../directory/user.resource.js';
import { invalidField, notFound } from '../base/errors/api-errors.js';
import { applications } from '../process/applications/application.resource.js';
import { presentRef, type Ref } from '../resources/ref.js';
import { idIn } from '../resources/uri.js';
import type { Locale } from '../security/caller.js';
import type { WorkplaceCategory } from './presenters.js';
import { WorkplaceOverviewService } from './workplace-overview.service.js';
import { type Reason, reasonsFor, type ShownBecause } from './visibility-reasons.js';
import { tileOrder } from './tile-sql.js';
import { reason } from '../base/errors/reason.js';

/** An application, and the reasons why the person sees it or not. */
export interface PreviewedApplication {
  application: Ref;
  shown: boolean;
  reasons: Reason[];
}

/** What a person sees. */
export interface Preview {
  user: Ref;
  /** The person's answer of GET /navigation/workplace. */
  workplace: WorkplaceCategory[];
  /** All applications, including the hidden ones. */
  applications: PreviewedApplication[];
}

/** The kinds of principals, in the order of the reasons. */
const PRINCIPALS = { user: users, group: groups, organization: organizations } as const;

/** An application, and the facts that decide whether the person sees it. */
interface ApplicationRow {
  id: string;
  reference: string;
  title: string;
  active: boolean;
  forEveryone: boolean;
  hasActiveCategory: boolean;
  /** The principals of the person that its audience names; null for none. */
  named:
    | {
        kind: ShownBecause & keyof typeof PRINCIPALS;
        id: string;
        reference: string;
        label: string;
      }[]
    | null;
}

/** Explains why a person sees a tile or does not. */
@Injectable()
export class PreviewService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
    private readonly snapshot: WorkplaceOverviewService,
  ) {}

  /**
   * @param user URI or id
   * @param locale of the texts
   * @throws ApiError 400 naming `user` when it is neither, 404 when there is no such user
   */
  async preview(user: string, locale: Locale): Promise<Preview> {
    const id = idIn(user, users.ref.uri);
    if (id === undefined)
      throw invalidField('user', reason('not-a-link', { uris: `${users.ref.uri}/1` }));
    const person = await this.users.findOneBy({ id });
    if (!person) throw notFound();
    return {
      user: presentRef(users.ref, id, person.login, person.title),
      workplace: await this.snapshot.load({
        id,
        rights: Rights.of(JSON.stringify(person.rights)),
        locale: person.locale as Locale,
      }),
      applications: await this.applications(id, locale),
    };
  }

  /** One statement, whatever the number of applications. */
  private async applications(userId: string, locale: Locale): Promise<PreviewedApplication[]> {
    const named = Object.entries(PRINCIPALS).map(
      ([kind, { ref }], place) =>
        `SELECT ${place} AS place, '${kind}' AS kind, l.id, l.${ref.referenceColumn} AS reference, l.${ref.labelColumn} AS label
         FROM application_audiences j JOIN ${ref.table} l ON l.id = j.${kind}_id
         WHERE j.application_id = a.id AND j.${kind}_id = ANY ((SELECT principals($1::bigint))::bigint[])`,
    );
    const rows = await this.database.query<ApplicationRow>({
      text: `SELECT a.id, a.reference, a.title, a.active, a.audience = '${EVERYONE}' AS "forEveryone",
          EXISTS (SELECT 1 FROM application_categories ac JOIN categories c ON c.id = ac.category_id WHERE ac.application_id = a.id AND c.active) AS "hasActiveCategory",
          (SELECT json_agg(json_build_object('kind', n.kind, 'id', n.id::text, 'reference', n.reference, 'label', n.label)
            ORDER BY n.place, n.id) FROM (${named.join(' UNION ALL ')}) n) AS named
        FROM applications a ORDER BY ${tileOrder('a')}`,
      values: [userId],
    });
    return rows.map((row) => presentPreviewed(row, locale));
  }
}

function presentPreviewed(
  { id, reference, title, active, forEveryone, hasActiveCategory, named }: ApplicationRow,
  locale: Locale,
): PreviewedApplication {
  const facts = {
    active,
    forEveryone,
    hasActiveCategory,
    named: (named ?? []).map((principal) => ({
      kind: principal.kind,
      principal: presentRef(
        PRINCIPALS[principal.kind].ref,
        principal.id,
        principal.reference,
        principal.label,
      ),
    })),
  };
  return {
    application: presentRef(applications.ref, id, reference, title),
    ...reasonsFor(facts, locale),
  };
}
