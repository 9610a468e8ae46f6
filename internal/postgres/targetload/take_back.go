package targetload

import "context"

// takeBack takes the loads back whose place this one takes.
func (l *Load) takeBack(ctx context.Context) error {
	if l.TakeBack == nil {
		return nil
	}
	return Explained(l.load.Explain(l.TakeBack(ctx)))
}

// takeBackUnstaged does so where the load's own rows are in the target already. They are rows without a key, and no others are theirs.
func (l *Load) takeBackUnstaged(ctx context.Context) error {
	if l.TakeBack == nil {
		return nil
	}
	if err := l.savepoint(ctx, `apply`); err != nil {
		return err
	}
	if err := l.takeBack(ctx); err != nil || !l.DryRun {
		return err
	}
	return l.exec(ctx, `rollback to savepoint apply`)
}
