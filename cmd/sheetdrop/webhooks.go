package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

type webhooksCommand struct {
	List       listWebhooksCommand  `cmd:"" help:"List the webhooks, newest first."`
	Create     createWebhookCommand `cmd:"" help:"Create a webhook: a URL that is called when tasks end. Its secret is printed here and nowhere else."`
	Show       showWebhookCommand   `cmd:"" help:"Show a webhook."`
	Change     changeWebhookCommand `cmd:"" help:"Change a webhook, disable it or enable it again."`
	Test       testWebhookCommand   `cmd:"" help:"Send a test event to a webhook, and show the answer."`
	Deliveries deliveriesCommand    `cmd:"" help:"List the events of a webhook with their last attempts, newest first."`
	Redeliver  redeliverCommand     `cmd:"" help:"Send events of a webhook again."`
	Rotate     rotateWebhookCommand `cmd:"" help:"Replace the secret of a webhook. The old one signs as well for 24 hours."`
	Rm         rmWebhookCommand     `cmd:"" help:"Delete a webhook; what waits for it is not sent any more."`
}

type listWebhooksCommand struct{ serverFlags }

func (w *listWebhooksCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := w.server()
	if err != nil {
		return err
	}
	header := []string{"state", "waiting", "dead", "description", "URL", "webhook"}
	none := words.In("There are no webhooks yet: `sheetdrop webhooks create URL` makes one.")
	return showList(c, limitFlag{}, s.Webhooks(ctx), none, header, func(w client.Webhook) []string {
		return []string{webhookState(w), strconv.FormatInt(w.Waiting, 10), strconv.FormatInt(w.Dead, 10), w.Description, w.URL, w.ID.String()}
	})
}

// webhookState says whether events are sent to a webhook, and if not who has disabled it.
func webhookState(w client.Webhook) string {
	switch {
	case w.Enabled:
		return words.In("enabled")
	case w.DisabledBy != nil && *w.DisabledBy == client.WebhookDisabledByReceiver:
		return words.In("disabled by its receiver")
	}
	return words.In("disabled")
}

// webhookFlags are what a webhook can be told of.
type webhookFlags struct {
	Description string   `placeholder:"TEXT" help:"What it is for; commands can name it by this."`
	States      []string `placeholder:"STATUS" help:"The ends that are sent: COMPLETED, FAILED, CANCELLED, with commas between them. If none is given: all."`
	Targets     []string `placeholder:"NAME" help:"Only tasks that load into one of these targets, or undo such a load."`
}

// targetIDs returns the ids of the targets that are named, nil for none.
func (w *webhookFlags) targetIDs(ctx context.Context, s *server.Server) (*[]string, error) {
	var ids []string
	for _, name := range w.Targets {
		found, err := s.Target(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID.String())
	}
	return unlessEmpty(ids), nil
}

// statesOf returns the ends that are named as an enumeration of the client, nil for none.
func statesOf[T ~string](w webhookFlags) *[]T {
	var states []T
	for _, state := range w.States {
		states = append(states, T(strings.ToUpper(state)))
	}
	return unlessEmpty(states)
}

func unlessEmpty[T any](list []T) *[]T {
	if len(list) == 0 {
		return nil
	}
	return &list
}

type createWebhookCommand struct {
	Address string `arg:"" name:"url" help:"The URL that is called: by https, and one that the server may call."`
	webhookFlags
	serverFlags
}

func (w *createWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := w.server()
	if err != nil {
		return err
	}
	targets, err := w.targetIDs(ctx, s)
	if err != nil {
		return err
	}
	request := client.WebhookRequest{
		URL: w.Address, Description: &w.Description, States: statesOf[client.WebhookRequestStates](w.webhookFlags), Targets: targets,
	}
	made, err := s.CreateWebhook(ctx, request)
	if err != nil {
		return err
	}
	showSecret(c, made)
	return nil
}

// showSecret shows the secret of a webhook, which is shown nowhere else.
func showSecret(c *terminal.Console, w client.WebhookWithSecret) {
	c.Result(w, "webhook %s\nsecret  %s\n", w.ID, terminal.Printable(w.Secret))
	c.Step("The secret is not shown again: keep it where the receiver verifies signatures.")
}

// webhookName names a webhook.
type webhookName struct {
	Webhook string `arg:"" name:"webhook" help:"The webhook's id, URL or description."`
	serverFlags
}

func (w *webhookName) find(ctx context.Context) (*server.Server, client.Webhook, error) {
	s, err := w.server()
	if err != nil {
		return nil, client.Webhook{}, err
	}
	found, err := s.Webhook(ctx, w.Webhook)
	return s, found, err
}

type showWebhookCommand struct{ webhookName }

func (w *showWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	_, found, err := w.find(ctx)
	if err != nil {
		return err
	}
	showWebhook(c, found)
	return nil
}

func showWebhook(c *terminal.Console, w client.Webhook) {
	c.Value(w)
	table := terminal.Table{UncutLast: true}
	fact := func(name, value string) {
		if value != "" {
			table.Add(words.In(name), value)
		}
	}
	states := make([]string, len(w.States))
	for i, state := range w.States {
		states[i] = string(state)
	}
	fact("URL", w.URL)
	fact("description", w.Description)
	fact("state", webhookState(w))
	fact("sent for", strings.Join(states, ", "))
	fact("targets", strings.Join(w.Targets, ", "))
	fact("events", words.Sprintf("%d waiting, %d given up", w.Waiting, w.Dead))
	fact("created", terminal.When(w.CreatedAt))
	if w.OldSecretUntil != nil {
		fact("the old secret signs until", terminal.When(*w.OldSecretUntil))
	}
	fact("webhook", w.ID.String())
	c.Table(&table)
}

type changeWebhookCommand struct {
	webhookName
	Address string `name:"to" placeholder:"https://HOST" help:"The URL that is called from now on."`
	webhookFlags
	Enable  bool `xor:"enabled" help:"Send events again."`
	Disable bool `xor:"enabled" help:"Send no events until it is enabled again."`
}

// Validate is called by kong: its errors are bad usage.
func (w *changeWebhookCommand) Validate() error {
	if w.Address+w.Description == "" && len(w.States)+len(w.Targets) == 0 && !w.Enable && !w.Disable {
		return words.New("say what changes: --to, --description, --states, --targets, --enable or --disable")
	}
	return nil
}

func (w *changeWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := w.find(ctx)
	if err != nil {
		return err
	}
	change := client.WebhookChange{States: statesOf[client.WebhookChangeStates](w.webhookFlags)}
	if change.Targets, err = w.targetIDs(ctx, s); err != nil {
		return err
	}
	if w.Address != "" {
		change.URL = &w.Address
	}
	if w.Description != "" {
		change.Description = &w.Description
	}
	if w.Enable || w.Disable {
		change.Enabled = &w.Enable
	}
	changed, err := s.ChangeWebhook(ctx, found.ID, change)
	if err == nil {
		showWebhook(c, changed)
	}
	return err
}

type testWebhookCommand struct {
	webhookName
	Wait bool `default:"true" negatable:"" help:"Wait for the answer; --no-wait ends once the event is on its way."`
}

func (w *testWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := w.find(ctx)
	if err != nil {
		return err
	}
	event, err := s.TestWebhook(ctx, found.ID)
	if err == nil && w.Wait {
		event, err = s.AwaitAttempt(ctx, found.ID, event)
	}
	if err != nil {
		return err
	}
	c.Value(event)
	answer := terminal.Printable(answerOf(event))
	if message := messageOf(event); message != "" {
		answer += ", " + terminal.Printable(message)
	}
	switch {
	case !w.Wait:
		c.Printf("event %s is on its way\n", event.ID)
	case event.Status != client.DeliveryStatusDELIVERED:
		return words.Errorf("not delivered: %s", answer)
	default:
		c.Printf("delivered: %s\n", answer)
	}
	return nil
}

// answerOf returns the status of the last answer to an event, and after how long it came: "204, 12 ms".
func answerOf(d client.Delivery) string {
	answer := ""
	if d.ResponseStatus != nil {
		answer = strconv.FormatInt(*d.ResponseStatus, 10)
	} else if d.Error != nil {
		answer = words.In("no answer")
	}
	if d.TookMs != nil {
		answer += fmt.Sprintf(", %d ms", *d.TookMs)
	}
	return answer
}

// messageOf returns what the receiver has answered or, if it has not, why.
func messageOf(d client.Delivery) string {
	if d.ResponseStatus == nil {
		return optional(d.Error)
	}
	return optional(d.Response)
}

type deliveriesCommand struct {
	webhookName
	Status string `enum:",PENDING,DELIVERED,DEAD" default:"" placeholder:"STATUS" help:"Only events that are PENDING, DELIVERED or DEAD."`
	limitFlag
}

func (d *deliveriesCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := d.find(ctx)
	if err != nil {
		return err
	}
	header := []string{"created", "status", "event", "attempts", "answer", "delivery", "task", "message"}
	none := words.In("There are no such events: `sheetdrop webhooks test` sends one.")
	return showList(c, d.limitFlag, s.Deliveries(ctx, found.ID, d.Status, d.asked()), none, header, func(d client.Delivery) []string {
		return []string{
			terminal.When(d.CreatedAt), string(d.Status), string(d.Type), strconv.FormatInt(d.Attempts, 10), answerOf(d), d.ID.String(),
			optionalID(d.TaskID), messageOf(d),
		}
	})
}

type redeliverCommand struct {
	webhookName
	IDs     []string `arg:"" optional:"" name:"delivery" help:"Events, by their ids."`
	AllDead bool     `help:"All events that were given up."`
}

// Validate is called by kong: its errors are bad usage.
func (r *redeliverCommand) Validate() error {
	if r.AllDead == (len(r.IDs) > 0) {
		return words.New("name deliveries, or use --all-dead")
	}
	return nil
}

func (r *redeliverCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := r.find(ctx)
	if err != nil {
		return err
	}
	ids, err := r.ids(ctx, s, found.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		event, err := s.Redeliver(ctx, found.ID, id)
		if err != nil {
			return about(id.String(), err)
		}
		c.Value(event)
	}
	count := int64(len(ids))
	c.Printf("%d %s queued again\n", count, terminal.Plural(count, words.In("event")))
	return nil
}

// ids returns the events that are sent again, the oldest first.
func (r *redeliverCommand) ids(ctx context.Context, s *server.Server, webhook uuid.UUID) (ids []uuid.UUID, err error) {
	for _, text := range r.IDs {
		id, err := idOf(text, "sheetdrop webhooks deliveries")
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	if r.AllDead {
		for event, err := range s.Deliveries(ctx, webhook, string(client.DeliveryStatusDEAD), 0) {
			if err != nil {
				return nil, err
			}
			ids = append(ids, event.ID)
		}
		slices.Reverse(ids)
	}
	return ids, nil
}

type rotateWebhookCommand struct{ webhookName }

func (w *rotateWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := w.find(ctx)
	if err != nil {
		return err
	}
	rotated, err := s.RotateWebhookSecret(ctx, found.ID)
	if err != nil {
		return err
	}
	showSecret(c, rotated)
	return nil
}

type rmWebhookCommand struct {
	webhookName
	Yes bool `short:"y" help:"Do not ask."`
}

func (w *rmWebhookCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := w.find(ctx)
	if err != nil {
		return err
	}
	if !w.Yes {
		if err := confirmed(ctx, c, words.Sprintf("Delete the webhook %s?", terminal.Printable(found.URL))); err != nil {
			return err
		}
	}
	if err := s.DeleteWebhook(ctx, found.ID); err != nil {
		return err
	}
	c.Result(map[string]any{"webhook_id": found.ID, "deleted": "webhook"}, "%s is deleted\n", terminal.Printable(found.URL))
	return nil
}
