import { Mail, Phone } from 'lucide-react';
import type { User } from '../../api-client/types.js';
import { Photo } from '../../account/photo.js';
import { Highlighted } from '../components/highlighted.js';
import { Link } from '../router.js';
import { telephoneAddress } from './telephone-address.js';

/** A person in the directory: name, place and contact details. */
export function PersonCard({ person, text }: { person: User; text: string }) {
  const { id, title, userFunction, organization, email, phoneNumber, mobilePhoneNumber } = person;
  const number = phoneNumber ?? mobilePhoneNumber;
  return (
    <li className="card person-entry">
      <Link to={`users/${id}`} className="person-link">
        <Photo id={id} size={56} />
        <span>
          <strong>
            <Highlighted text={title} query={text} />
          </strong>
          {userFunction !== null && (
            <small>
              <Highlighted text={userFunction} query={text} />
            </small>
          )}
          {organization && <small>{organization.label}</small>}
        </span>
      </Link>
      <ul className="reach">
        {email !== null && (
          <li>
            <Mail aria-hidden />
            <a href={`mailto:${email}`}>{email}</a>
          </li>
        )}
        {number !== null && (
          <li>
            <Phone aria-hidden />
            <a href={telephoneAddress(number)}>{number}</a>
          </li>
        )}
      </ul>
    </li>
  );
}
