import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '../translations/i18n.js';
import type { Branch } from './organizations.js';

interface Choosing {
  /** The id of the chosen organization; blank for all. */
  chosen: string;
  /** The ids from the root to the chosen organization, which are open. */
  path: string[];
  choose: (id: string) => void;
}

/** The organizations as a tree that opens branch by branch; a choice filters the directory. */
export function OrganizationTree({ branches, ...choosing }: Choosing & { branches: Branch[] }) {
  const { t } = useLanguage();
  const { chosen, choose } = choosing;
  return (
    <>
      <button className="branch-name" aria-pressed={chosen === ''} onClick={() => choose('')}>
        {t('people.organization.any')}
      </button>
      <Branches branches={branches} level={0} {...choosing} />
    </>
  );
}

function Branches({ branches, ...rest }: Choosing & { branches: Branch[]; level: number }) {
  return (
    <ul className="branches">
      {branches.map((branch) => (
        <BranchItem key={branch.organization.id} branch={branch} {...rest} />
      ))}
    </ul>
  );
}

function BranchItem({
  branch: { organization, children },
  level,
  ...choosing
}: Choosing & { branch: Branch; level: number }) {
  const { t } = useLanguage();
  const { id, label } = organization;
  const { chosen, path, choose } = choosing;
  const [isToggled, setToggled] = useState<boolean>();
  // The root and the ancestors of the choice are open until the person closes them.
  const isOpen = isToggled ?? (level === 0 || (path.includes(id) && id !== chosen));
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="branch">
        {children.length > 0 && (
          <button
            className="icon-button"
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'people.close' : 'people.open', { label })}
            onClick={() => setToggled(!isOpen)}
          >
            <Icon aria-hidden />
          </button>
        )}
        <button className="branch-name" aria-pressed={id === chosen} onClick={() => choose(id)}>
          {label}
        </button>
      </div>
      {isOpen && children.length > 0 && (
        <Branches branches={children} level={level + 1} {...choosing} />
      )}
    </li>
  );
}
