//! Who writes to the desk, and what the book says of them. Each shopper has one order for each
//! story, so that the right one has to be told from seven others, and from those of a neighbour.

use order_desk::{Article, Customer, Line, Order, Reason, Refund, Shop, Status, brief};

/// First and last name, and the address.
const PEOPLE: [(&str, &str); 9] = [
    ("Dana Reyes", "4 Mill Lane, Harrow"),
    ("Ilse Brandt", "Kirchweg 9, Bremen"),
    ("Tomas Novak", "Lipova 12, Brno"),
    ("Amara Okafor", "31 Quay Street, Bristol"),
    ("Jun Sato", "2-8 Midori, Sapporo"),
    ("Lucia Conti", "Via Verdi 3, Parma"),
    ("Owen Pryce", "7 Chapel Row, Conwy"),
    ("Nadia Haddad", "18 Rue du Port, Sete"),
    ("Erik Lund", "Strandgata 5, Molde"),
];

/// What the shop sells, with the price in cents; each comes in three colours.
const GOODS: [(&str, u64); 9] = [
    ("lamp", 7999),
    ("mug", 1450),
    ("blanket", 4900),
    ("kettle", 3825),
    ("vase", 2600),
    ("clock", 5450),
    ("tray", 1899),
    ("basket", 3100),
    ("mirror", 9900),
];

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// Two articles, delivered six days ago.
    InTime,
    /// Delivered 45 days ago.
    TooLate,
    /// Not sent yet.
    Pending,
    /// Not sent yet, a second one.
    PendingToo,
    /// On its way, and damaged as the carrier says.
    Damaged,
    /// On its way.
    Shipped,
    /// Outlet goods, delivered three days ago.
    Outlet,
    /// Delivered five days ago, and paid back in full.
    PaidBack,
}

const STORIES: [Story; 8] = [
    Story::InTime,
    Story::TooLate,
    Story::Pending,
    Story::PendingToo,
    Story::Damaged,
    Story::Shipped,
    Story::Outlet,
    Story::PaidBack,
];

/// A customer of the shop.
#[derive(Debug, Clone)]
pub struct Shopper {
    /// As the product knows them.
    pub customer: Customer,
    /// Their place in the list of people.
    place: usize,
}

/// The shopper of the five jobs that are written out.
pub fn dana() -> Shopper {
    shopper(0)
}

/// The cases of every family, by first name.
pub fn shoppers() -> impl Iterator<Item = (String, Shopper)> {
    (1..PEOPLE.len()).map(|place| {
        let shopper = shopper(place);
        let (first, _) = PEOPLE[place]
            .0
            .split_once(' ')
            .unwrap_or((PEOPLE[place].0, ""));
        (first.to_lowercase(), shopper)
    })
}

fn shopper(place: usize) -> Shopper {
    let customer = Customer {
        id: format!("C-{}", place + 7),
        name: PEOPLE[place].0.to_owned(),
    };
    Shopper { customer, place }
}

impl Shopper {
    /// Their order of that story.
    pub fn order(&self, story: Story) -> Order {
        let at = story as usize;
        let delivered = |days| (Status::Delivered, Some(days));
        let (status, delivered_days_ago) = match story {
            Story::InTime => delivered(6),
            Story::TooLate => delivered(45),
            Story::Outlet => delivered(3),
            Story::PaidBack => delivered(5),
            Story::Pending | Story::PendingToo => (Status::Pending, None),
            Story::Damaged | Story::Shipped => (Status::Shipped, None),
        };
        let mut order = Order {
            // Not in the order of the stories: a number gives nothing away.
            id: format!("O{}", 1001 + 8 * self.place + (5 * at + self.place) % 8),
            customer: self.customer.id.clone(),
            status,
            lines: vec![self.line(at, story == Story::Outlet)],
            address: PEOPLE[self.place].1.to_owned(),
            delivered_days_ago,
            damaged: story == Story::Damaged,
            refunds: Vec::new(),
        };
        if story == Story::InTime {
            order.lines.push(self.line(at + 4, false));
        }
        if story == Story::PaidBack {
            let (amount_cents, reason) = (order.total_cents(), Reason::Returned);
            order.refunds.push(Refund {
                amount_cents,
                reason,
            });
        }
        order
    }

    fn line(&self, at: usize, outlet: bool) -> Line {
        let (title, price_cents) = GOODS[(3 * self.place + at) % GOODS.len()];
        Line {
            sku: format!("{title}-blue"),
            title: format!("blue {title}"),
            price_cents,
            outlet,
        }
    }

    /// Another customer, whose orders lie in the same book.
    pub fn neighbour(&self) -> Self {
        shopper((self.place + 1) % PEOPLE.len())
    }

    /// The book that a rollout begins with.
    pub fn book(&self) -> Shop {
        let both = [self.clone(), self.neighbour()];
        let orders = both
            .iter()
            .flat_map(|one| STORIES.map(|story| one.order(story)));
        let colours = [("blue", 4), ("green", 9), ("red", 0)];
        let article = |(title, price_cents): (&str, u64), (colour, in_stock): (&str, u32)| {
            let article = Article {
                title: format!("{colour} {title}"),
                price_cents,
                in_stock,
            };
            (format!("{title}-{colour}"), article)
        };
        let stock = GOODS
            .iter()
            .flat_map(|kind| colours.map(|colour| article(*kind, colour)));
        Shop {
            orders: orders.collect(),
            stock: stock.collect(),
        }
    }

    /// What the agent is told when they write this.
    pub fn writes(&self, request: &str) -> String {
        brief(&self.customer, request)
    }
}
