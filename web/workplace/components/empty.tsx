import { CircleAlert, type LucideIcon, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiProblem } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';

export function Empty({
  icon: Icon,
  title,
  hint,
  children,
}: {
  icon: LucideIcon;
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon aria-hidden />
      </span>
      <p className="empty-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}

export function Problem({ problem, onRetry }: { problem: ApiProblem; onRetry: () => void }) {
  const language = useLanguage();
  return (
    <div role="alert">
      <Empty
        icon={problem.status === 404 ? SearchX : CircleAlert}
        title={language.problem(problem)}
      >
        {problem.status !== 404 && (
          <button className="button" onClick={onRetry}>
            {language.t('retry')}
          </button>
        )}
      </Empty>
    </div>
  );
}

export function MissingPage() {
  const { t } = useLanguage();
  return <Empty icon={SearchX} title={t('problem.404')} />;
}
