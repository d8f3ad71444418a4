// The frame of a screen: title, actions and content. The browser's tab shows the title too.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface PageProps {
  title: string;
  /** The link to the screen above this one. */
  above?: { href: string; name: string };
  /** A sentence below the title. */
  lead?: ComponentChildren;
  /** Shown beside the title, such as a badge. */
  mark?: ComponentChildren;
  /** Buttons and links, the main one last. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** False until the first screen was shown: that one does not move the focus. */
let hadPage = false;

export function Page({ title, above, lead, mark, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hadPage) heading.current?.focus({ preventScroll: true });
    hadPage = true;
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · Cupel`;
  }, [title]);
  return (
    <>
      {above !== undefined && (
        <p class="above">
          <a href={above.href}>{above.name}</a>
        </p>
      )}
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
          {mark}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {lead != null && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}

/** A part of a screen with its heading. */
export function Section({ title, actions, children }: Omit<PageProps, "above" | "lead" | "mark">) {
  return (
    <section class="part">
      <header class="part-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly (readonly [link: string, name: string])[];
  /** The link of what is shown. */
  shown: string;
}

/** Leads from each of a few views to the others. */
export function Tabs({ label, tabs, shown }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([link, name]) => (
        <a key={link} href={link} aria-current={link === shown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

export type Fact = readonly [name: string, value: ComponentChildren];

/** A few figures in a row, each with its name; false for one that is left out. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
