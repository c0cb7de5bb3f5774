import type { ReactNode } from 'react';
import { useLanguage } from '../translations/i18n.js';
import type { Loaded } from '../../api-client/use-load.js';
import { Problem } from './empty.js';

/** Shows the loaded value, the error, or a placeholder while it loads. */
export function Ready<T>({
  loaded,
  children,
}: {
  loaded: Loaded<T>;
  children: (value: T) => ReactNode;
}) {
  const { value, problem, reload } = loaded;
  if (problem) return <Problem problem={problem} onRetry={reload} />;
  return value === undefined ? <Skeleton /> : children(value);
}

export function Skeleton() {
  const { t } = useLanguage();
  return (
    <div className="skeleton" role="status">
      <span className="unseen">{t('loading')}</span>
      {[...'abcdef'].map((key) => (
        <span key={key} className="bone" />
      ))}
    </div>
  );
}
