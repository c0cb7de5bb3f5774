import { Component, type ReactNode } from 'react';
import { ApiProblem } from '../../api-client/api.js';
import { Problem } from './empty.js';

/** Reports the failure of a page, and keeps everything around it. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <Problem problem={new ApiProblem(500, '')} onRetry={() => location.reload()} />;
  }
}
