import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { get, getPage, query } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { User, UserDetailed } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Details } from '../components/details.js';
import { Page } from '../components/page.js';
import { Photo } from '../../account/photo.js';
import { Ready } from '../components/ready.js';
import { ACTIVE_PEOPLE } from '../people/active-people.js';
import { telephoneAddress } from '../people/telephone-address.js';
import { Link } from '../router.js';
import { useMe } from '../workplace-context.js';

/** Number of colleagues that fit without much scrolling. */
const COLLEAGUES = 12;

export function UserPage({ id }: { id: string }) {
  const { t } = useLanguage();
  const { me } = useMe();
  const loaded = useLoad(id, (signal) =>
    get<UserDetailed>(`/api/v2/directory/users/${encodeURIComponent(id)}`, signal),
  );
  const user = loaded.value;
  return (
    <Page
      name={user?.title ?? t('user.kind')}
      kind={user && t('user.kind')}
      lead={user?.userFunction}
      aside={
        user?.id === me.id && (
          <Link to="profile" className="button">
            <Pencil aria-hidden /> {t('user.edit')}
          </Link>
        )
      }
    >
      <Ready loaded={loaded}>{(user) => <UserDetails user={user} />}</Ready>
    </Page>
  );
}

function UserDetails({ user }: { user: UserDetailed }) {
  const { t } = useLanguage();
  const { id, email, phoneNumber, mobilePhoneNumber, description, groups } = user;
  const { organization, manager, nickName } = user;
  const hasContact = email ?? phoneNumber ?? mobilePhoneNumber;
  return (
    <div className="person">
      <section className="card person-card" aria-label={t('user.contact')}>
        <Photo id={id} size={128} />
        <Details
          details={[
            [t('user.email'), email && <a href={`mailto:${email}`}>{email}</a>],
            [t('user.phone'), phoneNumber && <Phone number={phoneNumber} />],
            [t('user.mobile'), mobilePhoneNumber && <Phone number={mobilePhoneNumber} />],
            [t('user.nick-name'), nickName],
          ]}
        />
        {!hasContact && <p>{t('user.no-contact')}</p>}
      </section>
      {(organization || manager || groups.length > 0) && <Place user={user} />}
      {description !== null && (
        <section className="card" aria-label={t('user.about')}>
          <h2>{t('user.about')}</h2>
          <p className="prose">{description}</p>
        </section>
      )}
      <People title={t('user.reports')} filters={[`manager:eq:${id}`, ...ACTIVE_PEOPLE]} />
      {organization && (
        <People
          title={t('user.colleagues')}
          filters={[`organization:eq:${organization.id}`, `id:neq:${id}`, ...ACTIVE_PEOPLE]}
        />
      )}
    </div>
  );
}

/** The place of a person in the organization: organizations from the root on, manager, groups. */
function Place({ user: { organizationPath, manager, groups } }: { user: UserDetailed }) {
  const { t } = useLanguage();
  return (
    <section className="card" aria-label={t('user.organization')}>
      <h2>{t('user.organization')}</h2>
      <ol className="path">
        {organizationPath.map(({ id, label }) => (
          <li key={id}>{label}</li>
        ))}
      </ol>
      {manager && (
        <>
          <h3>{t('user.manager')}</h3>
          <ul className="people">
            <Person id={manager.id} title={manager.label} />
          </ul>
        </>
      )}
      {groups.length > 0 && (
        <>
          <h3>{t('user.groups')}</h3>
          <ul className="chips">
            {groups.map(({ id, label }) => (
              <li key={id} className="chip">
                {label}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const Phone = ({ number }: { number: string }) => <a href={telephoneAddress(number)}>{number}</a>;

function People({ title, filters }: { title: string; filters: string[] }): ReactNode {
  const address = `/api/v2/directory/users${query({ range: `0-${COLLEAGUES}`, sorter: 'lastName,firstName', filters })}`;
  const { value } = useLoad(address, (signal) => getPage<User>(address, signal));
  const { t } = useLanguage();
  if (value === undefined || value.items.length === 0) return null;
  return (
    <section className="card wide" aria-label={title}>
      <h2>{title}</h2>
      <ul className="people">
        {value.items.map(({ id, title, userFunction }) => (
          <Person key={id} id={id} title={title} detail={userFunction} />
        ))}
      </ul>
      {value.hasNext && <p className="hint">{t('user.first', { count: COLLEAGUES })}</p>}
    </section>
  );
}

function Person({ id, title, detail }: { id: string; title: string; detail?: string | null }) {
  return (
    <li>
      <Link to={`users/${id}`} className="person-link">
        <Photo id={id} size={40} />
        <span>
          <strong>{title}</strong>
          {detail && <small>{detail}</small>}
        </span>
      </Link>
    </li>
  );
}
