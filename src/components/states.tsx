// Shown in place of a screen's content while it loads, when there is none, or when loading failed.
import type { ComponentChildren } from "preact";
import type { Loaded } from "../browser/loading.ts";
import type { Problem } from "../browser/problem.ts";

/** Shows the loaded value, or why there is none yet. A value stays while it is loaded again. */
export function Await<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, problem, reload } = loaded;
  if (value !== null) {
    return (
      <>
        {problem !== null && <ErrorNote problem={problem} retry={reload} />}
        {children(value)}
      </>
    );
  }
  if (problem === null) return <Loading />;
  if (problem.code === "FORBIDDEN") return <NoPermission />;
  if (problem.code === "NOT_FOUND") return <NotFound problem={problem} />;
  return <ErrorNote problem={problem} retry={reload} />;
}

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

/** Nothing there yet: says what would be here and how to get it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function NoPermission() {
  return (
    <Empty title="This is for administrators">
      <p>Ask whoever runs this server, or sign in as an administrator.</p>
    </Empty>
  );
}

/** The server answers the same for what another user owns, so the page cannot say which it is. */
function NotFound({ problem }: { problem: Problem }) {
  return (
    <div role="alert">
      <Empty title={problem.message}>
        <p>It may have been deleted, it may belong to another user, or the address may be incomplete.</p>
      </Empty>
    </div>
  );
}

interface BannerProps {
  tone: "done" | "early" | "failed";
  title: ComponentChildren;
  /** `alert` and `status` are read out at once; a `note` is part of the page. */
  role?: "note" | "alert" | "status";
  children?: ComponentChildren;
}

/** A message that stands out: what happened, and what to do. */
export function Banner({ tone, title, role = "note", children }: BannerProps) {
  return (
    <div class={`banner ${tone}`} role={role}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** A problem: what happened, where, and what to do. */
export function ErrorNote({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const places = problem.errors.filter(({ message }) => message !== problem.message);
  return (
    <Banner tone="failed" role="alert" title={problem.message}>
      {places.length > 0 && (
        <ul>
          {places.map(({ field, message, line, column }) => (
            <li key={`${field} ${message}`}>
              {line !== undefined && `Line ${line}: `}
              {column !== undefined && `column ${column}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      {problem.remedy !== "" && <p>{problem.remedy}</p>}
      {problem.requestId !== null && problem.status >= 500 && (
        <p class="note">
          Request <code>{problem.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </Banner>
  );
}
