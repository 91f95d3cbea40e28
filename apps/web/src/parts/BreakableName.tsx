import { Fragment, type ReactNode } from "react";

/** A name of the kind `refunds_within_policy`, which may break after its underscores, dots and hyphens. */
export function BreakableName({ name }: { name: string }): ReactNode {
  return (
    <bdi>
      {name.split(/(?<=[_.-])/).map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
