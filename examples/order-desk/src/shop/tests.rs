//! The rules of the shop, each with an order that is just inside and one just outside.

use super::*;

fn article(price_cents: u64, in_stock: u32) -> Article {
    Article {
        title: "Lamp".to_owned(),
        price_cents,
        in_stock,
    }
}

/// One order of one lamp for 20.00.
fn shop(change: impl FnOnce(&mut Order)) -> Shop {
    let mut order = Order {
        id: "O1".to_owned(),
        customer: "C-1".to_owned(),
        status: Status::Pending,
        lines: vec![Line {
            sku: "lamp-red".to_owned(),
            title: "Red lamp".to_owned(),
            price_cents: 2000,
            outlet: false,
        }],
        address: "Here".to_owned(),
        delivered_days_ago: None,
        damaged: false,
        refunds: Vec::new(),
    };
    change(&mut order);
    let stock = [
        ("lamp-red", article(2000, 0)),
        ("lamp-blue", article(2000, 1)),
        ("lamp-gold", article(9000, 1)),
    ];
    Shop {
        orders: vec![order],
        stock: stock.map(|(sku, article)| (sku.to_owned(), article)).into(),
    }
}

fn delivered(days: u32) -> Shop {
    shop(|order| {
        order.status = Status::Delivered;
        order.delivered_days_ago = Some(days);
    })
}

#[test]
fn goods_are_taken_back_for_thirty_days_and_never_from_the_outlet() {
    let returned = |mut shop: Shop| shop.refund("O1", 2000, Reason::Returned);
    assert_eq!(returned(delivered(30)), Ok(()));
    assert_eq!(returned(delivered(31)), Err(Refusal::TooLate(31)));
    assert_eq!(returned(shop(|_| {})), Err(Refusal::NotDelivered));
    let mut outlet = delivered(1);
    outlet.orders[0].lines[0].outlet = true;
    assert_eq!(returned(outlet), Err(Refusal::Outlet));
}

#[test]
fn no_more_goes_back_than_was_paid() {
    let mut shop = delivered(1);
    assert_eq!(
        shop.refund("O1", 2001, Reason::Returned),
        Err(Refusal::TooMuch(2000))
    );
    assert_eq!(shop.refund("O1", 1500, Reason::Returned), Ok(()));
    assert_eq!(
        shop.refund("O1", 501, Reason::Goodwill),
        Err(Refusal::TooMuch(500))
    );
    assert_eq!(
        shop.refund("O1", 0, Reason::Goodwill),
        Err(Refusal::TooMuch(500))
    );
    assert_eq!(shop.orders[0].kept_cents(), 500);
}

#[test]
fn damage_is_what_the_carrier_says_and_goodwill_asks_nobody() {
    let mut sound = shop(|order| order.status = Status::Shipped);
    assert_eq!(
        sound.refund("O1", 2000, Reason::Damaged),
        Err(Refusal::NotDamaged)
    );
    assert_eq!(sound.refund("O1", 2000, Reason::Goodwill), Ok(()));
    let mut damaged = shop(|order| order.damaged = true);
    assert_eq!(damaged.refund("O1", 2000, Reason::Damaged), Ok(()));
}

#[test]
fn only_what_has_not_left_is_cancelled_moved_or_exchanged() {
    for status in [Status::Shipped, Status::Delivered, Status::Cancelled] {
        let mut shop = shop(|order| order.status = status);
        let before = shop.clone();
        let left = Err(Refusal::HasLeft(status));
        assert_eq!(shop.cancel("O1"), left);
        assert_eq!(shop.change_address("O1", "There"), left);
        assert_eq!(shop.exchange("O1", "lamp-red", "lamp-blue"), left);
        assert_eq!(shop, before);
    }
}

#[test]
fn a_cancelled_order_is_paid_back_and_its_goods_are_on_the_shelf_again() {
    let mut shop = shop(|_| {});
    shop.cancel("O1").unwrap();
    assert_eq!(shop.orders[0].status, Status::Cancelled);
    assert_eq!(shop.orders[0].kept_cents(), 0);
    assert_eq!(shop.stock["lamp-red"].in_stock, 1);
}

#[test]
fn an_exchange_is_for_the_same_price_and_from_stock() {
    let mut shop = shop(|_| {});
    let mut exchange = |to: &str| shop.exchange("O1", "lamp-red", to);
    assert_eq!(exchange("lamp-gold"), Err(Refusal::OtherPrice));
    assert_eq!(
        exchange("lamp-red"),
        Err(Refusal::SoldOut("lamp-red".to_owned()))
    );
    assert_eq!(exchange("lamp"), Err(Refusal::NoArticle("lamp".to_owned())));
    assert_eq!(exchange("lamp-blue"), Ok(()));
    assert_eq!(shop.orders[0].lines[0].sku, "lamp-blue");
    let left = |sku: &str| shop.stock[sku].in_stock;
    assert_eq!((left("lamp-blue"), left("lamp-red")), (0, 1));
}
